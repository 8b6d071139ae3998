internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

extension GoTrueDatabase {
    /// Looks up many users; one statement contains up to a thousand lookups of the same kind.
    ///
    /// Several users can have the same email address if they use single sign-on. In that case, the result is the user
    /// without single sign-on.
    ///
    /// - Parameter requests: The users to look up.
    /// - Returns: The users, in the order of `requests`; `nil` for a user who does not exist.
    /// - Throws: An `AuthError` of the database.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        var users: [DirectoryUser?] = []
        for start in stride(from: 0, to: requests.count, by: 1000) {
            let some = Array(requests[start..<min(start + 1000, requests.count)])
            users += try await lookUp(some)
        }
        return users
    }

    private func lookUp(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        var (ids, emails, phones, identities): ([JSON], [JSON], [JSON], [JSON]) = ([], [], [], [])
        var normal: [RequestedUser] = []
        for request in requests {
            switch request {
            case .id(let id):
                let uuid = GoTrueDirectory.uuid(id)
                if let uuid { ids.append(.string(uuid)) }
                normal.append(.id(uuid ?? id))
            case .email(let address):
                emails.append(.string(try EmailAddress(address).text.lowercased()))
                normal.append(request)
            case .phone(let number):
                phones.append(.string(try NewUserRecord.digits(number)))
                normal.append(request)
            case .identity(let provider, let subject):
                normal.append(request)
                // A text of PostgreSQL cannot contain NUL, so no user has such an id.
                if !subject.utf8.contains(0), !provider.rawValue.utf8.contains(0) {
                    identities.append(["p": .string(GoTrueDirectory.name(of: provider)), "s": .string(subject)])
                }
            case .externalID: throw noLookUp(request, of: "GoTrue's database", instead: "use the id of the user")
            }
        }
        let conditions: [(values: [JSON], condition: (PostgresStatement) -> PostgresStatement)] = [
            (ids, { "u.id = ANY(ARRAY(SELECT jsonb_array_elements_text(\($0))::uuid))" }),
            (
                emails,
                {
                    """
                    u.instance_id = '00000000-0000-0000-0000-000000000000'
                        AND lower(u.email) = ANY(ARRAY(SELECT jsonb_array_elements_text(\($0))))
                    """
                }
            ),
            (phones, { "u.phone = ANY(ARRAY(SELECT jsonb_array_elements_text(\($0))))" }),
            (
                identities,
                {
                    """
                    u.id = ANY(ARRAY(SELECT i.user_id FROM jsonb_to_recordset(\($0)) AS k(p text, s text)
                        JOIN auth.identities i ON i.provider = k.p AND i.provider_id = k.s))
                    """
                }
            ),
        ]
        var found: [DirectoryUser] = []
        for (values, condition) in conditions where !values.isEmpty {
            let list: PostgresStatement = "\(JSON.array(values).text())::jsonb"
            found += try await users(
                where: "u.deleted_at IS NULL AND \(condition(list)) ORDER BY u.is_sso_user, u.created_at, u.id")
        }
        return try sorted(found, as: normal)
    }

    /// Returns rows that make the server's list of users fail: each id, and the columns that are NULL where the server's reader
    /// requires a value.
    ///
    /// - Parameter limit: The maximum number of rows.
    /// - Returns: The rows in the order of their ids.
    /// - Throws: An `AuthError` of the database.
    package func unreadableRows(limit: Int) async throws(AuthError) -> [(id: String, columns: String)] {
        let names = Self.missingColumns.dropFirst().reduce(Self.missingColumns[0]) { "\($0), \($1)" }
        return try await call { connection throws(PostgresError) in
            try connection.run(
                """
                SELECT u.id::text, concat_ws(', ', \(names)) FROM auth.users u
                WHERE u.instance_id = '00000000-0000-0000-0000-000000000000' AND concat_ws('', \(names)) <> '' ORDER BY u.id
                LIMIT \(Int64(limit))
                """
            ).rows.map { row throws(PostgresError) in (try row[0], try row[1]) }
        }
    }

    /// Returns the number of users.
    ///
    /// The number does not include users that the server has marked as deleted.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the database.
    public func count() async throws(AuthError) -> Int {
        let count: Int64 = try await call { connection throws(PostgresError) in
            try connection.run("SELECT count(*) FROM auth.users WHERE deleted_at IS NULL").rows[0][0]
        }
        return Int(count)
    }
}
