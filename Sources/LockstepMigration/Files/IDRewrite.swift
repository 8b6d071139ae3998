internal import LockstepPrimitives

/// A script that replaces the old ids of users in the app's own tables by the new ones, in PostgreSQL.
///
/// The script looks for foreign keys and triggers itself, so it needs no connection while it is written. It is one transaction, or
/// a transaction for each chunk of a table.
public struct IDRewrite: Sendable {
    let columns: [IDColumn]
    let leavesUnmapped: Bool
    /// The size of a chunk in bytes; `nil` for one transaction.
    let chunk: Int?

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - columns: The columns with ids, those of both sides of a foreign key.
    ///   - leavesUnmapped: Whether rows with an id that the map does not have stay as they are. Otherwise, they stop the script.
    ///   - chunk: The size in bytes of the parts of a table that are written in a transaction of their own; `nil` to write all tables
    ///     in one transaction.
    /// - Throws: `rewrite` if a column with another type is to be written in chunks.
    public init(_ columns: [IDColumn], leavesUnmapped: Bool, chunk: Int? = nil) throws(MigrationError) {
        if chunk != nil, columns.contains(where: { $0.form != nil }) {
            throw MigrationError(
                .rewrite,
                "A change of a column's type writes the whole table at once. Leave out :text and :uuid, or write the script without chunks."
            )
        }
        self.columns = columns
        self.leavesUnmapped = leavesUnmapped
        self.chunk = chunk
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
        try await append(chunk.map { beginning(of: folder.id, isReverse, chunk: $0) } ?? beginning(of: folder.id, isReverse))
        // A script in chunks finds its map when it is run again.
        let again = chunk == nil ? "" : " ON CONFLICT DO NOTHING"
        var (last, count) = (0, 0)
        while true {
            let users = try await folder.journal.users(after: last, limit: RunFolder.pageSize)
            guard let end = users.last?.number else { break }
            last = end
            let ids = users.compactMap(\.idsOnBothSides).map { isReverse ? ($0.target, $0.source) : ($0.source, $0.target) }
            guard !ids.isEmpty else { continue }
            count += ids.count
            try await append(
                "INSERT INTO \(place).lockstep_map SELECT * FROM unnest(\(Self.list(ids.map(\.0)))::text[], \(Self.list(ids.map(\.1)))::text[])\(again);\n"
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
            ANALYZE \(place).lockstep_map;
            INSERT INTO \(place).lockstep_columns VALUES
            \(rows.joined(separator: ",\n"));
            -- The app's names are resolved. From here on, objects of other roles cannot stand in for PostgreSQL's own.
            DO $lockstep$
            BEGIN
                PERFORM pg_catalog.set_config('lockstep.search_path', pg_catalog.current_setting('search_path'), \(chunk == nil));
            END
            $lockstep$;
            SET\(chunk == nil ? " LOCAL" : "") search_path = pg_catalog, pg_temp;

            """ + (chunk.map(inChunks) ?? inOneTransaction) + Self.policies)
        return count
    }

    /// A list of texts as a literal of PostgreSQL's arrays.
    private static func list(_ texts: [String]) -> String {
        let elements = texts.map { text in
            "\"" + String(decoding: text.utf8.flatMap { [0x22, 0x5c].contains($0) ? [0x5c, $0] : [$0] }, as: UTF8.self) + "\""
        }
        return "{\(elements.joined(separator: ","))}".sqlText
    }

    private static let policies = """

        -- Rules that read the id of the signed-in user: beside each, the form for ids that are no UUIDs.
        SELECT schemaname, tablename, policyname, rule AS today, replace(rule, 'auth.uid()', '(auth.jwt() ->> ''sub'')') AS replacement
        FROM pg_policies, LATERAL (VALUES (qual), (with_check)) AS r(rule)
        WHERE rule LIKE '%auth.uid()%' OR rule LIKE '%sub%';

        """

    // MARK: Statements of both forms

    /// The schema of the script's own tables: each use names it, so that no table of another role is read instead.
    var place: String { chunk == nil ? "pg_temp" : "lockstep_rewrite" }

    /// The search path of the app, for what calls the app's functions: expressions of indexes and checks.
    func appPath(isLocal: Bool) -> String {
        "PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('lockstep.search_path'), \(isLocal));"
    }

    /// The foreign keys between the columns.
    var foundKeys: String {
        """
        SELECT k.conrelid::regclass AS relation, k.conname AS name, k.oid, pg_get_constraintdef(k.oid) AS definition
            FROM pg_constraint k
            WHERE k.contype = 'f' AND k.conparentid = 0 AND EXISTS (
                SELECT FROM \(place).lockstep_columns c JOIN pg_attribute a ON a.attrelid = c.relation AND a.attname = c.name
                WHERE (k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey)) OR (k.confrelid = a.attrelid AND a.attnum = ANY (k.confkey)))
        """
    }

    /// The triggers of the tables, of their partitions, and of the tables that inherit from them.
    var foundTriggers: String {
        """
        WITH RECURSIVE tree (relation) AS (
                SELECT relation::oid FROM \(place).lockstep_columns
                UNION SELECT i.inhrelid FROM tree t JOIN pg_inherits i ON i.inhparent = t.relation)
            SELECT tgrelid::regclass AS relation, tgname AS name, tgenabled AS state FROM pg_trigger
            WHERE NOT tgisinternal AND tgrelid IN (SELECT relation FROM tree)
        """
    }

    /// Stops if the ids or the foreign keys cannot be replaced.
    var checks: String {
        """
            IF EXISTS (
                SELECT FROM \(place).lockstep_map a JOIN \(place).lockstep_map b ON a.new_id = b.old_id WHERE a.old_id <> b.old_id) THEN
                RAISE EXCEPTION 'lockstep: a new id is the old id of another user, so the ids cannot be replaced in one step';
            END IF;
            FOR item IN
                SELECT k.name, k.relation, f.place::regclass AS other, a.attname
                FROM \(place).lockstep_keys k JOIN pg_constraint p ON p.oid = k.oid
                CROSS JOIN LATERAL (
                    SELECT p.conrelid, n.own, p.confrelid, n.other FROM unnest(p.conkey, p.confkey) AS n(own, other)
                    UNION ALL
                    SELECT p.confrelid, n.other, p.conrelid, n.own FROM unnest(p.conkey, p.confkey) AS n(own, other)
                ) AS f(place, number, opposite, across)
                JOIN pg_attribute a ON a.attrelid = f.place AND a.attnum = f.number
                JOIN pg_attribute o ON o.attrelid = f.opposite AND o.attnum = f.across
                WHERE NOT EXISTS (SELECT FROM \(place).lockstep_columns c WHERE c.relation = f.place AND c.name = a.attname)
                    AND EXISTS (SELECT FROM \(place).lockstep_columns c WHERE c.relation = o.attrelid AND c.name = o.attname)
            LOOP
                RAISE EXCEPTION 'lockstep: the foreign key % of % needs the column %.% in --columns, too (or drop the key first)',
                    quote_ident(item.name), item.relation, item.other, item.attname;
            END LOOP;
        """
    }

    var putAside: String {
        """
            FOR item IN SELECT relation, name FROM \(place).lockstep_keys LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', item.relation, item.name);
            END LOOP;
            FOR item IN SELECT relation, name FROM \(place).lockstep_triggers WHERE state <> 'D' LOOP
                EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', item.relation, item.name);
            END LOOP;
        """
    }

    /// Sets each trigger to its state before: a partitioned table passes its state on, so its partitions come after it.
    var restoreTriggers: String {
        """
            FOR item IN
                SELECT relation, name, state FROM \(place).lockstep_triggers
                ORDER BY (SELECT count(*) FROM pg_partition_ancestors(relation))
            LOOP
                EXECUTE format('ALTER TABLE %s %s TRIGGER %I', item.relation, CASE item.state WHEN 'D' THEN 'DISABLE'
                    WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END, item.name);
            END LOOP;
        """
    }

    /// The variables of ``columnChecks(known:)`` and of the loops around it.
    static let checkVariables = """
            col record;
            item record;
            own text;
            ids text;
            room int;
            total bigint;
            filled bigint;
            missing bigint;
        """

    /// Stops if a column (`col`) has the wrong type, or rows without an entry in the map.
    ///
    /// - Parameter known: The columns of the map that have the ids of such rows.
    /// - Returns: The statements.
    func columnChecks(known: [String]) -> String {
        let joins = known.map { "LEFT JOIN \(place).lockstep_map \($0) ON \($0).\($0) = t.%1$I::text" }.joined(separator: " ")
        let isUnknown = known.map { "\($0).\($0) IS NULL" }.joined(separator: " AND ")
        return """
                    SELECT format_type(atttypid, NULL), nullif(atttypmod, -1) - 4 INTO own, room FROM pg_attribute
                        WHERE attrelid = col.relation AND attname = col.name AND NOT attisdropped;
                    IF own IS NULL THEN
                        RAISE EXCEPTION 'lockstep: the table % has no column %', col.relation, quote_ident(col.name);
                    ELSIF own NOT IN ('text', 'uuid', 'character varying') THEN
                        RAISE EXCEPTION 'lockstep: %.% has the type %: expected text or uuid', col.relation, quote_ident(col.name), own;
                    ELSIF col.form IS NULL AND own = 'uuid'
                        AND EXISTS (SELECT FROM \(place).lockstep_map WHERE new_id !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') THEN
                        RAISE EXCEPTION 'lockstep: %.% has the type uuid, but not all new ids are UUIDs: write the column with :text',
                            col.relation, quote_ident(col.name);
                    ELSIF col.form IS NULL AND EXISTS (SELECT FROM \(place).lockstep_map WHERE length(new_id) > room) THEN
                        RAISE EXCEPTION 'lockstep: %.% holds % characters, but new ids have up to %: change its type to text first',
                            col.relation, quote_ident(col.name), room, (SELECT max(length(new_id)) FROM \(place).lockstep_map);
                    END IF;
                    EXECUTE format(
                        'SELECT count(*), count(t.%1$I), count(t.%1$I) FILTER (WHERE \(isUnknown))
                         FROM %2$s t \(joins)', col.name, col.relation)
                        INTO total, filled, missing;
                    IF missing > 0 AND NOT \(leavesUnmapped) THEN
                        EXECUTE format(
                            'SELECT string_agg(id, '', '') FROM (
                                SELECT DISTINCT t.%1$I::text AS id FROM %2$s t \(joins)
                                WHERE t.%1$I IS NOT NULL AND \(isUnknown) ORDER BY id LIMIT 20) AS listed', col.name, col.relation)
                            INTO ids;
                        RAISE EXCEPTION 'lockstep: % rows of %.% have ids that are not in the map (the first 20 of them: %)',
                            missing, col.relation, quote_ident(col.name), ids
                            USING HINT = 'Correct these rows, or write the script with --unmapped leave.';
                    END IF;
            """
    }
}

extension JournalUser {
    /// The ids of a user whom the run knows to be on the target.
    fileprivate var idsOnBothSides: (source: String, target: String)? { isOnTarget ? targetID.map { (sourceID, $0) } : nil }
}
