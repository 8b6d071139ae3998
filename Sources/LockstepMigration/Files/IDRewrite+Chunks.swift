internal import LockstepPrimitives

extension IDRewrite {
    /// The beginning of the script in chunks.
    func beginning(of run: String, _ isReverse: Bool, chunk: Int) -> String {
        let script = "run \(run), columns \(columns.map { "\($0.tableName).\($0.name.sqlName)" }.joined(separator: ", "))".sqlText
        return #"""
            -- lockstep migrate map: the ids of the run \#(run)\#(isReverse ? ", back to the old ones" : ""), in chunks.
            --
            -- Run it with psql -f, and not in a transaction. Each chunk of a table is a transaction of its own, which locks only the rows
            -- that it changes. The tables themselves are locked for a moment: at the beginning to drop the foreign keys between the
            -- columns (ACCESS EXCLUSIVE), and at the end to add them again (SHARE ROW EXCLUSIVE); they are checked afterwards, while the
            -- app can write. From the beginning to the end, both old and new ids are in the tables, nothing checks these keys, and triggers of the app do not
            -- fire: stop the app, or let it accept both.
            --
            -- If the script was interrupted, run it again, or run the script of the other direction. What it needs for this is in the
            -- schema lockstep_rewrite, which it drops at the end. The role must own the tables, and needs the right to create this
            -- schema. PostgreSQL must be version 14 or newer.

            \set ON_ERROR_STOP on
            SET standard_conforming_strings = on;
            -- Rows that a rule hides from this role are an error, instead of rows that keep their old ids.
            SET row_security = off;

            BEGIN;
            SET LOCAL client_min_messages = warning;
            CREATE SCHEMA IF NOT EXISTS lockstep_rewrite;
            DO $lockstep$
            BEGIN
                IF NOT EXISTS (
                    SELECT FROM pg_catalog.pg_namespace
                    WHERE nspname = 'lockstep_rewrite' AND pg_catalog.pg_get_userbyid(nspowner) = current_user) THEN
                    RAISE EXCEPTION 'lockstep: the schema lockstep_rewrite belongs to another role'
                        USING HINT = 'Run the script as its owner, or drop the schema if no script of yours made it.';
                END IF;
            END
            $lockstep$;
            CREATE TABLE IF NOT EXISTS lockstep_rewrite.lockstep_script (script text NOT NULL, is_reverse boolean NOT NULL);
            CREATE TABLE IF NOT EXISTS lockstep_rewrite.lockstep_map (old_id text PRIMARY KEY, new_id text NOT NULL UNIQUE);
            CREATE TABLE IF NOT EXISTS lockstep_rewrite.lockstep_columns (relation regclass, name text, form text);
            CREATE TABLE IF NOT EXISTS lockstep_rewrite.lockstep_keys (
                relation regclass, name text, oid oid, definition text, PRIMARY KEY (relation, name));
            CREATE TABLE IF NOT EXISTS lockstep_rewrite.lockstep_triggers (
                relation regclass, name text, state "char", PRIMARY KEY (relation, name));
            LOCK TABLE lockstep_rewrite.lockstep_script;
            -- A name may contain the mark that ends the block.
            SET LOCAL lockstep.script = \#(script);
            DO $lockstep$
            BEGIN
                IF EXISTS (SELECT FROM lockstep_rewrite.lockstep_script WHERE script <> pg_catalog.current_setting('lockstep.script')) THEN
                    RAISE EXCEPTION 'lockstep: another script is not finished: %', (SELECT script FROM lockstep_rewrite.lockstep_script)
                        USING HINT = 'Run it again, or its script of the other direction, and then this one.';
                END IF;
                IF NOT EXISTS (SELECT FROM lockstep_rewrite.lockstep_script WHERE is_reverse = \#(isReverse)) THEN
                    DELETE FROM lockstep_rewrite.lockstep_script;
                    INSERT INTO lockstep_rewrite.lockstep_script VALUES (pg_catalog.current_setting('lockstep.script'), \#(isReverse));
                    DELETE FROM lockstep_rewrite.lockstep_map;
                END IF;
                DELETE FROM lockstep_rewrite.lockstep_columns;
            END
            $lockstep$;

            """#
    }

    /// The script in chunks, after the map and the columns.
    func inChunks(of chunk: Int) -> String {
        """
        INSERT INTO lockstep_rewrite.lockstep_keys
            \(foundKeys)
            ON CONFLICT DO NOTHING;
        INSERT INTO lockstep_rewrite.lockstep_triggers
            \(foundTriggers)
            ON CONFLICT DO NOTHING;
        DO $lockstep$
        DECLARE
        \(Self.checkVariables)
        BEGIN
        \(checks)
            FOR col IN SELECT relation, name, form FROM lockstep_rewrite.lockstep_columns LOOP
        \(columnChecks(known: ["old_id", "new_id"]))
            END LOOP;
        \(putAside)
        END
        $lockstep$;
        COMMIT;

        -- An updated row moves behind the chunk, or into free space before it, with its new id. Each pass reads the table once; the
        -- last one finds nothing.
        DO $lockstep$
        DECLARE
            col record;
            step bigint := greatest(\(chunk) / current_setting('block_size')::bigint, 1);
            pages bigint;
            page bigint;
            passes int;
            changed bigint;
            rest bigint;
        BEGIN
            FOR col IN
                SELECT c.relation, c.name, format_type(a.atttypid, NULL) AS form
                FROM lockstep_rewrite.lockstep_columns c JOIN pg_attribute a ON a.attrelid = c.relation AND a.attname = c.name
            LOOP
                \(appPath(isLocal: false))
                passes := 0;
                LOOP
                    rest := 0;
                    page := 0;
                    SELECT max(pg_relation_size(place) / current_setting('block_size')::bigint) INTO pages
                        FROM (SELECT col.relation AS place UNION SELECT relid FROM pg_partition_tree(col.relation)) AS places;
                    LOOP
                        EXECUTE pg_catalog.format(
                            'UPDATE %2$s t SET %1$I = m.new_id::%3$s FROM lockstep_rewrite.lockstep_map m
                             WHERE m.old_id = t.%1$I::text AND t.ctid >= ''(%4$s,0)''%5$s',
                            col.name, col.relation, col.form, page,
                            CASE WHEN page + step < pages THEN pg_catalog.format(' AND t.ctid < ''(%s,0)''', page + step) ELSE '' END);
                        GET DIAGNOSTICS changed = ROW_COUNT;
                        COMMIT;
                        rest := rest + changed;
                        page := page + step;
                        EXIT WHEN page >= pages;
                    END LOOP;
                    EXIT WHEN rest = 0;
                    passes := passes + 1;
                    IF passes > 20 THEN
                        RAISE EXCEPTION 'lockstep: the app still writes old ids into %.%. Stop it, then run the script again.',
                            col.relation, quote_ident(col.name);
                    END IF;
                END LOOP;
            END LOOP;
        END
        $lockstep$;
        SET search_path = pg_catalog, pg_temp;

        DO $lockstep$
        DECLARE
            item record;
        BEGIN
        \(restoreTriggers)
            FOR item IN
                SELECT k.relation, k.name, k.definition, r.relkind FROM lockstep_rewrite.lockstep_keys k
                JOIN pg_class r ON r.oid = k.relation
                WHERE NOT EXISTS (SELECT FROM pg_constraint p WHERE p.conrelid = k.relation AND p.conname = k.name)
                ORDER BY k.oid
            LOOP
                EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', item.relation, item.name, item.definition,
                    CASE WHEN item.relkind = 'p' OR item.definition LIKE '% NOT VALID' THEN '' ELSE ' NOT VALID' END);
            END LOOP;
        END
        $lockstep$;

        DO $lockstep$
        DECLARE
            item record;
        BEGIN
            FOR item IN
                SELECT k.relation, k.name FROM lockstep_rewrite.lockstep_keys k
                JOIN pg_constraint p ON p.conrelid = k.relation AND p.conname = k.name
                WHERE NOT p.convalidated AND k.definition NOT LIKE '% NOT VALID'
            LOOP
                EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', item.relation, item.name);
                COMMIT;
            END LOOP;
        END
        $lockstep$;

        DO $lockstep$
        DECLARE
            col record;
            total bigint;
            filled bigint;
            changed bigint;
            rest bigint;
        BEGIN
            FOR col IN SELECT relation, name FROM lockstep_rewrite.lockstep_columns LOOP
                EXECUTE format(
                    'SELECT count(*), count(t.%1$I), count(n.new_id), count(o.old_id) FILTER (WHERE n.new_id IS NULL) FROM %2$s t
                     LEFT JOIN lockstep_rewrite.lockstep_map n ON n.new_id = t.%1$I::text
                     LEFT JOIN lockstep_rewrite.lockstep_map o ON o.old_id = t.%1$I::text',
                    col.name, col.relation)
                    INTO total, filled, changed, rest;
                IF rest > 0 THEN
                    RAISE EXCEPTION 'lockstep: % rows of %.% have old ids again. Stop the app, then run the script again.',
                        rest, col.relation, quote_ident(col.name);
                END IF;
                RAISE NOTICE 'lockstep: %.%: % rows, % with an id, % replaced, % left', col.relation, quote_ident(col.name), total, filled,
                    changed, filled - changed;
            END LOOP;
        END
        $lockstep$;
        SET client_min_messages = warning;
        DROP SCHEMA lockstep_rewrite CASCADE;

        """
    }
}
