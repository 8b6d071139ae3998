public import Lockstep
public import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

/// A trigger of an app on the table `auth.users`.
///
/// The database runs the trigger for each user that is written or deleted.
public struct GoTrueTrigger: Sendable, Hashable {
    /// The kind of a change for which a trigger runs.
    public enum Event: String, Sendable, Hashable, CaseIterable {
        /// A user is created.
        case insert
        /// A user is changed.
        case update
        /// A user is deleted.
        case delete
    }

    /// The name of the trigger.
    public let name: String
    /// The function that the trigger calls, with its schema, such as `public.make_profile`.
    public let function: String
    /// The kinds of changes for which the trigger runs.
    public let events: Set<Event>
    /// The server to which the trigger sends the user's data: `https://hooks.example.com`; `nil` if the trigger is not
    /// a webhook.
    ///
    /// The rest of the address is omitted, because it may contain a secret.
    public let webhook: String?

    /// Creates a trigger.
    ///
    /// - Parameters:
    ///   - name: The name of the trigger.
    ///   - function: The function that the trigger calls, with its schema.
    ///   - events: The kinds of changes for which the trigger runs.
    ///   - webhook: The server to which the trigger sends the user's data; `nil` if the trigger is not a webhook.
    public init(name: String, function: String, events: Set<Event>, webhook: String? = nil) {
        self.name = name
        self.function = function
        self.events = events
        self.webhook = webhook
    }

    /// Returns the scheme, host and port of a webhook's URL; `nil` for a URL in another format.
    fileprivate static func server(of address: String) -> String? {
        let parts = address.pieces(at: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty else { return nil }
        // The user and the password come before the host.
        let host = parts[2].cut(at: "?").head.cut(at: "#").head.cut(atLast: "@").tail
        return host.isEmpty ? nil : "\(parts[0])//\(host)"
    }
}

extension GoTrueDatabase {
    /// Returns the app's triggers on `auth.users`, in the order in which the database runs them.
    ///
    /// - Returns: The enabled triggers.
    /// - Throws: An `AuthError` of the database.
    public func triggers() async throws(AuthError) -> [GoTrueTrigger] {
        let rows = try await call { connection throws(PostgresError) in
            try connection.run(
                """
                SELECT t.tgname::text, quote_ident(n.nspname) || '.' || quote_ident(p.proname), t.tgtype::bigint,
                    -- A webhook of Supabase's, whose first argument is the address.
                    CASE WHEN n.nspname = 'supabase_functions' AND p.proname = 'http_request'
                        THEN split_part(encode(t.tgargs, 'escape'), '\\000', 1) END
                FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE t.tgrelid = 'auth.users'::regclass AND NOT t.tgisinternal AND t.tgenabled <> 'D'
                    AND n.nspname <> 'lockstep_emulator' ORDER BY t.tgname
                """
            ).rows
        }
        return try rows.map { row throws(AuthError) in
            try AuthError.reading { () throws(PostgresError) -> GoTrueTrigger in
                let bits: Int64 = try row[2]
                // The bits of pg_trigger.tgtype (src/include/catalog/pg_trigger.h).
                let events: [(Int64, GoTrueTrigger.Event)] = [(4, .insert), (8, .delete), (16, .update)]
                let address = String(row.values[3])
                return GoTrueTrigger(
                    name: try row[0], function: try row[1], events: Set(events.filter { bits & $0.0 != 0 }.map(\.1)),
                    webhook: address.map { GoTrueTrigger.server(of: $0) ?? "an unknown server" })
            }
        }
    }

    /// Returns the app's tables that reference users.
    ///
    /// ```swift
    /// for table in try await database.references() { print(table) }
    /// ```
    ///
    /// - Parameter ids: The ids of the users whose rows are counted; `nil` to count the rows of all users.
    /// - Returns: The tables of the app, without the server's own tables.
    /// - Throws: An `AuthError` of the database.
    public func references(to ids: [String]? = nil) async throws(AuthError) -> [DirectoryReference] {
        let list = ids.map { JSON.array($0.compactMap { GoTrueDirectory.uuid($0) }.map(JSON.string)).text() }
        let references = try await call { connection throws(PostgresError) -> [DirectoryReference] in
            let found = try connection.run(
                """
                SELECT c.conrelid::regclass::text, (
                        SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY AS k(number, place)
                        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number)::text,
                    (SELECT quote_ident(a.attname) FROM unnest(c.conkey, c.confkey) AS k(own, other)
                        JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.other AND b.attname = 'id'
                        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own LIMIT 1),
                    c.confdeltype::text
                FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
                WHERE c.contype = 'f' AND c.confrelid = 'auth.users'::regclass AND n.nspname <> 'auth' AND c.conparentid = 0
                """
            ).rows
            return try found.map { row throws(PostgresError) in try Self.reference(row, list, connection) }
        }
        return references.sorted { ($0.table, $0.columns.joined(separator: ",")) < ($1.table, $1.columns.joined(separator: ",")) }
    }

    private static func reference(
        _ row: PostgresRow, _ ids: String?, _ connection: PostgresConnection
    ) throws(PostgresError) -> DirectoryReference {
        let (table, columns, action): (String, String, String) = (try row[0], try row[1], try row[3])
        let deletion: DirectoryReference.Deletion =
            switch action {
            case "c": .cascades
            case "n", "d": .clears
            default: .refuses
            }
        let names = (try? JSON.parse(Array(columns.utf8)).array) ?? []
        return DirectoryReference(
            table: table, columns: names.compactMap(\.string), deletion: deletion,
            rows: try count(table, String(row.values[2]), ids, connection))
    }

    /// Counts rows; `nil` if the role has no permission, or if the table does not reference the column of the id.
    private static func count(
        _ table: String, _ column: String?, _ ids: String?, _ connection: PostgresConnection
    ) throws(PostgresError) -> Int? {
        guard let column else { return nil }
        // The server quotes both names.
        let (from, name) = (PostgresStatement(stringLiteral: table), PostgresStatement(stringLiteral: column))
        let condition: PostgresStatement =
            if let ids { "= ANY(ARRAY(SELECT jsonb_array_elements_text(\(ids)::jsonb))::uuid[])" } else { "IS NOT NULL" }
        try connection.run("SAVEPOINT counting")
        do throws(PostgresError) {
            let count: Int64 = try connection.run("SELECT count(*) FROM \(from) WHERE \(name) \(condition)").rows[0][0]
            return Int(count)
        } catch  where error.kind == .refused {
            try connection.run("ROLLBACK TO SAVEPOINT counting")
            return nil
        }
    }
}
