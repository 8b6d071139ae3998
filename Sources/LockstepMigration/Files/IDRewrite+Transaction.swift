extension IDRewrite {
    /// The beginning of the script in one transaction.
    func beginning(of run: String, _ isReverse: Bool) -> String {
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
        CREATE TEMPORARY TABLE lockstep_columns (relation regclass, name text, form text) ON COMMIT DROP;

        """
    }

    /// The script in one transaction, after the map and the columns.
    var inOneTransaction: String {
        """

        CREATE TEMPORARY TABLE lockstep_keys ON COMMIT DROP AS
            \(Self.found.keys);
        CREATE TEMPORARY TABLE lockstep_triggers ON COMMIT DROP AS
            \(Self.found.triggers);

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
            FOR col IN SELECT DISTINCT relation FROM lockstep_columns ORDER BY relation LOOP
                EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', col.relation);
            END LOOP;
        \(Self.checks)
        \(Self.putAside)

            FOR col IN SELECT relation, name, form FROM lockstep_columns LOOP
        \(columnChecks(known: ["old_id"]))
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

        \(Self.enableTriggers)
            FOR item IN SELECT relation, name, definition FROM lockstep_keys ORDER BY oid LOOP
                EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %s %s', item.relation, item.name, item.definition);
            END LOOP;
        END
        $lockstep$;

        COMMIT;

        """
    }
}
