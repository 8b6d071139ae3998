internal import LockstepPrimitives

/// A script that replaces the old ids of users in the app's own tables by the new ones, in PostgreSQL.
///
/// The script is one transaction. It looks for foreign keys and triggers itself, so it needs no connection while it is written.
public struct IDRewrite: Sendable {
    private let columns: [IDColumn]
    private let leavesUnmapped: Bool

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - columns: The columns with ids, those of both sides of a foreign key.
    ///   - leavesUnmapped: Whether rows with an id that the map does not have stay as they are. Otherwise, they stop the script.
    public init(_ columns: [IDColumn], leavesUnmapped: Bool) {
        self.columns = columns
        self.leavesUnmapped = leavesUnmapped
    }

    /// Writes the script in pieces.
    ///
    /// - Parameters:
    ///   - folder: The run with the ids.
    ///   - isReverse: Whether to write the script that takes all changes back.
    ///   - append: Called with each piece.
    /// - Returns: The number of users in the map.
    /// - Throws: `rewrite` if no user is on the target; `journal`; the error of `append`.
    public func write(
        _ folder: RunFolder, isReverse: Bool, _ append: (String) async throws -> Void
    ) async throws -> Int {
        try await append(Self.head(of: folder.id, isReverse))
        var (last, count) = (0, 0)
        while true {
            let users = try await folder.journal.users(after: last, limit: RunFolder.pageSize)
            guard let end = users.last?.number else { break }
            last = end
            let ids = users.compactMap(\.idsOnBothSides).map { isReverse ? ($0.target, $0.source) : ($0.source, $0.target) }
            guard !ids.isEmpty else { continue }
            count += ids.count
            try await append(
                "INSERT INTO lockstep_map SELECT * FROM unnest(\(Self.list(ids.map(\.0)))::text[], \(Self.list(ids.map(\.1)))::text[]);\n"
            )
        }
        guard count > 0 else {
            throw MigrationError(.rewrite, "No user of the run \"\(folder.id)\" is on the target yet. Apply the plan first.")
        }
        let rows = columns.map { isReverse ? $0.reversed : $0 }.map { column in
            "    (\(column.tableName.sqlText)::regclass, \(column.name.sqlText), \((column.form?.rawValue).map(\.sqlText) ?? "NULL"))"
        }
        try await append(
            """
            ANALYZE lockstep_map;
            CREATE TEMPORARY TABLE lockstep_columns (relation regclass, name text, form text) ON COMMIT DROP;
            INSERT INTO lockstep_columns VALUES
            \(rows.joined(separator: ",\n"));

            """ + Self.body(leavesUnmapped: leavesUnmapped))
        return count
    }

    /// A list of texts as a literal of PostgreSQL's arrays.
    private static func list(_ texts: [String]) -> String {
        let elements = texts.map { text in
            "\"" + String(decoding: text.utf8.flatMap { [0x22, 0x5c].contains($0) ? [0x5c, $0] : [$0] }, as: UTF8.self) + "\""
        }
        return "{\(elements.joined(separator: ","))}".sqlText
    }

    private static func head(of run: String, _ isReverse: Bool) -> String {
        """
        -- lockstep migrate map: the ids of the run \(run)\(isReverse ? ", back to the old ones" : "").
        --
        -- One transaction: after an error, nothing has changed. Stop the app first, or accept that it waits: each table is locked
        -- (ACCESS EXCLUSIVE) from the beginning to COMMIT, about twice as long as an UPDATE of all its rows, and longer if a type
        -- changes, because the table is then written again. Foreign keys between the columns are dropped and added again, which
        -- checks them. Triggers of the app do not fire. The role must own the tables.

        BEGIN;
        SET LOCAL standard_conforming_strings = on;
        -- Rows that a rule hides from this role are an error, instead of rows that keep their old ids.
        SET LOCAL row_security = off;
        CREATE TEMPORARY TABLE lockstep_map (old_id text PRIMARY KEY, new_id text NOT NULL UNIQUE) ON COMMIT DROP;

        """
    }

    private static func body(leavesUnmapped: Bool) -> String {
        """

        CREATE TEMPORARY TABLE lockstep_keys ON COMMIT DROP AS
            SELECT k.oid, k.conrelid, k.confrelid, k.conrelid::regclass::text AS relation, quote_ident(k.conname) AS name,
                pg_get_constraintdef(k.oid) AS definition
            FROM pg_constraint k
            WHERE k.contype = 'f' AND k.conparentid = 0 AND EXISTS (
                SELECT FROM lockstep_columns c JOIN pg_attribute a ON a.attrelid = c.relation AND a.attname = c.name
                WHERE (k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey)) OR (k.confrelid = a.attrelid AND a.attnum = ANY (k.confkey)));

        DO $lockstep$
        DECLARE
            col record;
            item record;
            own text;
            ids text;
            total bigint;
            filled bigint;
            missing bigint;
            changed bigint;
            after bigint;
        BEGIN
            IF EXISTS (SELECT FROM lockstep_map a JOIN lockstep_map b ON a.new_id = b.old_id WHERE a.old_id <> b.old_id) THEN
                RAISE EXCEPTION 'lockstep: a new id is the old id of another user, so the ids cannot be replaced in one step';
            END IF;
            FOR col IN SELECT DISTINCT relation FROM lockstep_columns ORDER BY relation LOOP
                EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', col.relation);
            END LOOP;
            FOR item IN
                SELECT k.name, k.relation, f.side, f.place::regclass::text AS other, a.attname
                FROM lockstep_keys k JOIN pg_constraint p ON p.oid = k.oid
                CROSS JOIN LATERAL (
                    SELECT 'from', p.conrelid, n.number, m.number FROM unnest(p.conkey, p.confkey) AS n(number, other)
                        CROSS JOIN LATERAL (SELECT n.other) AS m(number)
                    UNION ALL
                    SELECT 'to', p.confrelid, n.other, n.number FROM unnest(p.conkey, p.confkey) AS n(number, other)
                ) AS f(side, place, number, opposite)
                JOIN pg_attribute a ON a.attrelid = f.place AND a.attnum = f.number
                JOIN pg_attribute o ON o.attrelid = CASE f.side WHEN 'from' THEN p.confrelid ELSE p.conrelid END AND o.attnum = f.opposite
                WHERE NOT EXISTS (SELECT FROM lockstep_columns c WHERE c.relation = f.place AND c.name = a.attname)
                    AND EXISTS (SELECT FROM lockstep_columns c WHERE c.relation = o.attrelid AND c.name = o.attname)
            LOOP
                RAISE EXCEPTION 'lockstep: the foreign key % of % needs the column %.% in --columns, too (or drop the key first)',
                    item.name, item.relation, item.other, item.attname;
            END LOOP;
            FOR item IN SELECT relation, name FROM lockstep_keys LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %s', item.relation, item.name);
            END LOOP;
            CREATE TEMPORARY TABLE lockstep_triggers ON COMMIT DROP AS
                SELECT tgrelid::regclass::text AS relation, quote_ident(tgname) AS name, tgenabled AS state
                FROM pg_trigger
                WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgrelid IN (SELECT relation FROM lockstep_columns);
            FOR item IN SELECT relation, name FROM lockstep_triggers LOOP
                EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %s', item.relation, item.name);
            END LOOP;

            FOR col IN SELECT relation, name, form FROM lockstep_columns LOOP
                SELECT format_type(atttypid, NULL) INTO own FROM pg_attribute
                    WHERE attrelid = col.relation AND attname = col.name AND NOT attisdropped;
                IF own IS NULL THEN
                    RAISE EXCEPTION 'lockstep: the table % has no column %', col.relation, quote_ident(col.name);
                ELSIF own NOT IN ('text', 'uuid', 'character varying') THEN
                    RAISE EXCEPTION 'lockstep: %.% has the type %: expected text or uuid', col.relation, quote_ident(col.name), own;
                ELSIF col.form IS NULL AND own = 'uuid'
                    AND EXISTS (SELECT FROM lockstep_map WHERE new_id !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') THEN
                    RAISE EXCEPTION 'lockstep: %.% has the type uuid, but not all new ids are UUIDs: write the column with :text',
                        col.relation, quote_ident(col.name);
                END IF;
                EXECUTE format(
                    'SELECT count(*), count(t.%1$I), count(t.%1$I) FILTER (WHERE m.old_id IS NULL)
                     FROM %2$s t LEFT JOIN lockstep_map m ON m.old_id = t.%1$I::text', col.name, col.relation)
                    INTO total, filled, missing;
                IF missing > 0 AND NOT \(leavesUnmapped) THEN
                    EXECUTE format(
                        'SELECT string_agg(id, '', '') FROM (
                            SELECT DISTINCT t.%1$I::text AS id FROM %2$s t
                            WHERE t.%1$I IS NOT NULL AND NOT EXISTS (SELECT FROM lockstep_map m WHERE m.old_id = t.%1$I::text)
                            ORDER BY id LIMIT 20) AS listed', col.name, col.relation)
                        INTO ids;
                    RAISE EXCEPTION 'lockstep: % rows of %.% have ids that are not in the map (the first 20 of them: %)',
                        missing, col.relation, quote_ident(col.name), ids
                        USING HINT = 'Correct these rows, or write the script with --unmapped leave.';
                END IF;
                IF col.form = 'text' AND own = 'uuid' THEN
                    EXECUTE format('ALTER TABLE %2$s ALTER COLUMN %1$I TYPE text USING %1$I::text', col.name, col.relation);
                    own := 'text';
                END IF;
                EXECUTE format(
                    'UPDATE %2$s t SET %1$I = m.new_id::%3$s FROM lockstep_map m WHERE m.old_id = t.%1$I::text', col.name, col.relation, own);
                GET DIAGNOSTICS changed = ROW_COUNT;
                IF col.form = 'uuid' AND own <> 'uuid' THEN
                    EXECUTE format('ALTER TABLE %2$s ALTER COLUMN %1$I TYPE uuid USING %1$I::uuid', col.name, col.relation);
                END IF;
                EXECUTE format('SELECT count(%I) FROM %s', col.name, col.relation) INTO after;
                IF changed <> filled - missing OR after <> filled THEN
                    RAISE EXCEPTION 'lockstep: %.% had % ids, but % were replaced, and % are there now', col.relation,
                        quote_ident(col.name), filled, changed, after;
                END IF;
                RAISE NOTICE 'lockstep: %.%: % rows, % with an id, % replaced, % left', col.relation, quote_ident(col.name), total, filled,
                    changed, missing;
            END LOOP;

            FOR item IN SELECT relation, name, state FROM lockstep_triggers LOOP
                EXECUTE format('ALTER TABLE %s ENABLE %s TRIGGER %s', item.relation,
                    CASE item.state WHEN 'R' THEN 'REPLICA' WHEN 'A' THEN 'ALWAYS' ELSE '' END, item.name);
            END LOOP;
            FOR item IN SELECT relation, name, definition FROM lockstep_keys ORDER BY oid LOOP
                EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %s %s', item.relation, item.name, item.definition);
            END LOOP;
        END
        $lockstep$;

        -- Rules that read the id of the signed-in user: beside each, the form for ids that are no UUIDs.
        SELECT schemaname, tablename, policyname, rule AS today, replace(rule, 'auth.uid()', '(auth.jwt() ->> ''sub'')') AS replacement
        FROM pg_policies, LATERAL (VALUES (qual), (with_check)) AS r(rule)
        WHERE rule LIKE '%auth.uid()%' OR rule LIKE '%sub%';

        COMMIT;

        """
    }
}

extension JournalUser {
    /// The ids of a user whom the run knows to be on the target.
    fileprivate var idsOnBothSides: (source: String, target: String)? { isOnTarget ? targetID.map { (sourceID, $0) } : nil }
}
