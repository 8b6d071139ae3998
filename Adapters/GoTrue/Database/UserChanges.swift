internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPostgres
internal import LockstepPrimitives

/// Changes of a user, which are checked before anything is sent.
struct UserRecordChange: Sendable {
    private var changes = DirectoryChanges()
    private var password: StoredPassword?
    private var email: String?
    private var phone: String?

    init(_ changes: DirectoryChanges, _ database: GoTrueDatabase) throws(AuthError) {
        self.changes = changes
        email = try changes.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = try changes.phone.map { number throws(AuthError) in try NewUserRecord.digits(number) }
        password = try changes.password.map { text throws(AuthError) in try StoredPassword(text, database) }
    }

    init(passwordHash: String) { password = .hash(passwordHash) }

    /// Returns the change with its password hashed; this blocks the thread.
    func hashingPassword() throws(PostgresError) -> UserRecordChange {
        var change = self
        change.password = try password.map { password throws(PostgresError) in .hash(try password.hashed()) }
        return change
    }

    /// - Returns: Whether the user exists.
    func apply(to id: String, _ connection: PostgresConnection) throws(PostgresError) -> Bool {
        let rows = try connection.run(
            """
            UPDATE auth.users SET updated_at = now()\(try assignments) WHERE id = \(id)::uuid AND deleted_at IS NULL
            RETURNING email_confirmed_at IS NOT NULL, phone_confirmed_at IS NOT NULL
            """
        ).rows
        guard let row = rows.first else { return false }
        let (isEmailConfirmed, isPhoneConfirmed): (Bool, Bool) = (try row[0], try row[1])
        if let email { try upsertIdentity(.address(of: id, email: email, isProven: isEmailConfirmed), id, connection) }
        if let phone { try upsertIdentity(.address(of: id, phone: phone, isProven: isPhoneConfirmed), id, connection) }
        // The server does the same for a new password: refresh tokens are deleted with their sessions, and no open link
        // still works.
        if password != nil { try connection.run("DELETE FROM auth.sessions WHERE user_id = \(id)::uuid") }
        if password != nil || email != nil || phone != nil {
            try connection.run("DELETE FROM auth.one_time_tokens WHERE user_id = \(id)::uuid")
        }
        return true
    }

    private var assignments: PostgresStatement {
        get throws(PostgresError) {
            var list: PostgresStatement = ""
            if let email { list = "\(list), email = \(email)" }
            if let phone { list = "\(list), phone = \(phone)" }
            if let isConfirmed = changes.isEmailConfirmed {
                let time: PostgresStatement = isConfirmed ? "coalesce(email_confirmed_at, now())" : "NULL"
                list = "\(list), email_confirmed_at = \(time)"
            }
            if let isConfirmed = changes.isPhoneConfirmed {
                let time: PostgresStatement = isConfirmed ? "coalesce(phone_confirmed_at, now())" : "NULL"
                list = "\(list), phone_confirmed_at = \(time)"
            }
            if let password { list = "\(list), encrypted_password = \(try password.hashed())" }
            if password != nil || email != nil || phone != nil { list = "\(list)\(Self.noOpenLinks)" }
            if let isDisabled = changes.isDisabled {
                list = "\(list), banned_until = \(isDisabled ? NewUserRecord.indefiniteBanEnd : "NULL")"
            }
            let own = GoTrueDirectory.metadata(changes.userMetadata, changes.displayName, changes.photoURL)
            if !own.isEmpty { list = "\(list), raw_user_meta_data = \(.merging(own, into: "raw_user_meta_data"))" }
            if !changes.appMetadata.isEmpty {
                list = "\(list), raw_app_meta_data = \(.merging(changes.appMetadata, into: "raw_app_meta_data"))"
            }
            return list
        }
    }

    private static let noOpenLinks: PostgresStatement = """
        , confirmation_token = '', confirmation_sent_at = NULL, recovery_token = '', recovery_sent_at = NULL, email_change = '',
            email_change_token_new = '', email_change_token_current = '', email_change_sent_at = NULL, email_change_confirm_status = 0,
            phone_change = '', phone_change_token = '', phone_change_sent_at = NULL,
            reauthentication_token = '', reauthentication_sent_at = NULL
        """

    /// Changes the identity of an address or a number together with it.
    private func upsertIdentity(
        _ identity: DirectoryIdentity, _ id: String, _ connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.run(
            """
            INSERT INTO auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
            VALUES (\(id), \(id)::uuid, \(.json(identity.row)), \(identity.goTrueProvider), now(), now())
            ON CONFLICT (provider_id, provider) DO UPDATE SET
                identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now()
            """)
    }
}
