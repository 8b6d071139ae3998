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
        CREATE TEMPORARY TABLE pg_temp.lockstep_map (old_id text PRIMARY KEY, new_id text NOT NULL UNIQUE) ON COMMIT DROP;
        CREATE TEMPORARY TABLE pg_temp.lockstep_columns (relation regclass, name text, form text) ON COMMIT DROP;

        """
    }

    /// The script in one transaction, after the map and the columns.
    var inOneTransaction: String {
        """

        CREATE TEMPORARY TABLE pg_temp.lockstep_keys ON COMMIT DROP AS
            \(foundKeys);
        CREATE TEMPORARY TABLE pg_temp.lockstep_triggers ON COMMIT DROP AS
            \(foundTriggers);

        DO $lockstep$
        DECLARE
        \(Self.checkVariables)
            changed bigint;
            after bigint;
        BEGIN
            FOR col IN SELECT DISTINCT relation FROM pg_temp.lockstep_columns ORDER BY relation LOOP
                EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', col.relation);
            END LOOP;
        \(checks)
        \(putAside)

            FOR col IN SELECT relation, name, form FROM pg_temp.lockstep_columns LOOP
        \(columnChecks(known: ["old_id"]))
                \(appPath(isLocal: true))
                IF col.form = 'text' AND own = 'uuid' OR col.form IS NOT NULL AND room IS NOT NULL THEN
                    EXECUTE pg_catalog.format('ALTER TABLE %2$s ALTER COLUMN %1$I TYPE text USING %1$I::text', col.name, col.relation);
                    own := 'text';
                END IF;
                EXECUTE pg_catalog.format(
                    'UPDATE %2$s t SET %1$I = m.new_id::%3$s FROM pg_temp.lockstep_map m WHERE m.old_id = t.%1$I::text',
                    col.name, col.relation, own);
                GET DIAGNOSTICS changed = ROW_COUNT;
                IF col.form = 'uuid' AND own <> 'uuid' THEN
                    EXECUTE pg_catalog.format('ALTER TABLE %2$s ALTER COLUMN %1$I TYPE uuid USING %1$I::uuid', col.name, col.relation);
                END IF;
                SET LOCAL search_path = pg_catalog, pg_temp;
                EXECUTE format('SELECT count(%I) FROM %s', col.name, col.relation) INTO after;
                IF changed <> filled - missing OR after <> filled THEN
                    RAISE EXCEPTION 'lockstep: %.% had % ids, but % were replaced, and % are there now', col.relation,
                        quote_ident(col.name), filled, changed, after;
                END IF;
                RAISE NOTICE 'lockstep: %.%: % rows, % with an id, % replaced, % left', col.relation, quote_ident(col.name), total, filled,
                    changed, missing;
            END LOOP;

        \(restoreTriggers)
            FOR item IN SELECT relation, name, definition FROM pg_temp.lockstep_keys ORDER BY oid LOOP
                EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', item.relation, item.name, item.definition);
            END LOOP;
        END
        $lockstep$;

        COMMIT;

        """
    }
}
