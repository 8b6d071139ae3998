package import LockstepDirectory
package import LockstepGoTrueDatabase
package import LockstepGoTrueDirectory
package import LockstepMigration

extension MoveTarget {
    /// Creates GoTrue as a target, with the values that it accepts and sets, and its facts for a plan.
    ///
    /// - Parameters:
    ///   - directory: The directory that is read and written: the API, the rows, or a directory in front of one of them.
    ///   - rows: The database, if the users are written there.
    ///   - api: The API, which shows the settings; `nil` if `directory` shows them.
    ///   - mailsPerHour: The number of emails that the target sends in an hour; `nil` if the operator has not stated it.
    package static func goTrue(
        _ directory: any UserDirectory, rows: GoTrueDatabase?, api: GoTrueDirectory? = nil, project: String,
        mailsPerHour: Int? = nil
    ) -> MoveTarget {
        var target = MoveTarget(directory, project: project, ids: .uuids) { hash in
            // The column has 255 characters. A check that takes longer than a request may take (API_MAX_REQUEST_DURATION, ten
            // seconds by default) never ends.
            guard hash.isWithin(PasswordLimits(memory: 1 << 30, time: .seconds(10))) else { return nil }
            return hash.goTrueText.flatMap { $0.utf8.count <= 255 ? $0 : nil }
        }
        target.title = "GoTrue"
        if let api { target.settings = api }
        target.acceptsAddress = Self.isGoTrueAddress
        target.mailsPerHour = mailsPerHour
        // RATE_LIMIT_EMAIL_SENT (github.com/supabase/auth, internal/conf).
        target.usualMailsPerHour = 30
        target.acceptsProvider = GoTrueDirectory.accepts
        // Each access token carries all of them, and many servers reject headers of more than 8 to 16 kB.
        target.limits = [MoveLimit([.claims, .userData, .name, .photo], 10_000, .bytes)]
        // The server reads numbers as 64-bit floats, and PostgreSQL stores no NUL in a text.
        target.largestNumber = 1 << 53
        target.acceptsNUL = false
        target.ownUserData = ["display_name", "avatar_url", "email", "email_verified", "phone_verified", "sub"]
        target.ownClaims = ["provider", "providers"]
        target.comparable.formUnion([.singleSignOn, .anonymousUsers])
        if let rows {
            target.write(rows)
        } else {
            // The API takes the length of a ban, and its server computes the end.
            target.comparable.remove(.banEnds)
            target.otherWay =
                "GoTrue's API takes no times, identities, second factors, and no users without an address and a number. Its database "
                + "does: name it under \"to.database\"."
            target.road = MoveRoad { () throws(AuthError) in
                throw AuthError(.unsupported, "GoTrue's API does not show the triggers of its database.")
            }
        }
        return target
    }

    /// Sets the properties that differ if the users are written into the database.
    private mutating func write(_ rows: GoTrueDatabase) {
        access = .database
        batchSize = GoTrueDatabase.Settings().usersInTransaction
        returnsHashes = true
        setPasswordHash = { hash, id throws(AuthError) in try await rows.setPasswordHash(hash, of: id) }
        needsAddressOrNumber = false
        references = { (ids: [String]) async throws(AuthError) in
            try await rows.references(to: ids)
        }
        road = MoveRoad("by SQL") { () async throws(AuthError) in
            let triggers = try await rows.triggers().filter { $0.events.contains(.insert) }.map { trigger in
                trigger.function + (trigger.webhook.map { " (a webhook to \($0))" } ?? "")
            }
            let tables = try await rows.references().map { table in
                table.table + (table.rows.map { $0 == 0 ? "" : " (\($0) rows)" } ?? "")
            }
            return [
                MoveEffect("triggers on auth.users that will run", triggers), MoveEffect("tables that refer to users", tables),
            ].filter { !$0.names.isEmpty || $0.what.hasPrefix("triggers") }
        }
    }

    /// The format of addresses that GoTrue accepts, which is ASCII only (github.com/badoux/checkmail, ValidateFormat).
    @Sendable private static func isGoTrueAddress(_ address: String) -> Bool {
        let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, address.utf8.count <= 255 else { return false }
        func isWord(_ unit: UInt8) -> Bool {
            (0x30...0x39).contains(unit) || (0x41...0x5a).contains(unit) || (0x61...0x7a).contains(unit)
        }
        guard parts[0].allSatisfy({ isWord($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }) else { return false }
        return parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
            return isWord(first) && isWord(last) && label.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
        }
    }
}
