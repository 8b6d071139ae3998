internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Finds and changes the users of the instance inside one transaction.
struct UserRepository {
    let context: RequestContext

    func find(_ id: String) throws -> UserRecord? {
        try context.db.find(UserRecord.self, "id = \(id)")
    }

    /// Returns the user with an identifier (an email address, a number or a user name), and the row that matched.
    func find(identifier: Identifier) throws -> (user: UserRecord, identification: IdentificationRecord?)? {
        switch identifier {
        case .username(let name):
            return try context.db.find(UserRecord.self, "username = \(name)").map { ($0, nil) }
        case .email(let text), .phone(let text):
            guard let row = try claimed(identifier.identificationKind, text), let user = try find(row.userID) else { return nil }
            return (user, row)
        }
    }

    /// Returns the row of the user to whom an address or number belongs: the user has verified it, or can sign in with
    /// it without a verification.
    ///
    /// If another user has only entered it, it does not belong to that user, and anyone can sign up with it.
    func claimed(_ kind: IdentificationRecord.Kind, _ value: String) throws -> IdentificationRecord? {
        try all(kind, value).first(where: isUsable)
    }

    /// Returns the row of ``claimed(_:_:)``, or else of the first user who has entered the address or number.
    func holder(_ kind: IdentificationRecord.Kind, _ value: String) throws -> IdentificationRecord? {
        let rows = try all(kind, value)
        return rows.first(where: isUsable) ?? rows.first
    }

    /// Returns the row of one user, verified or not.
    func identification(_ kind: IdentificationRecord.Kind, _ value: String, of userID: String) throws -> IdentificationRecord? {
        try all(kind, value).first { $0.userID.exact == userID.exact }
    }

    private func all(_ kind: IdentificationRecord.Kind, _ value: String) throws -> [IdentificationRecord] {
        try context.db.all(
            IdentificationRecord.self, "kind = \(kind.rawValue) AND value = \(value) ORDER BY created_at, rowid")
    }

    /// Returns the row of a user who has verified the address.
    func provenEmail(_ address: String) throws -> IdentificationRecord? {
        try all(.email, address).first(where: \.isVerified)
    }

    /// Returns the addresses and numbers of a user, the newest first.
    func identifications(of user: UserRecord) throws -> [IdentificationRecord] {
        try context.db.all(IdentificationRecord.self, "user_id = \(user.id) ORDER BY created_at DESC, rowid DESC")
    }

    func externalAccounts(of user: UserRecord) throws -> [ExternalAccountRecord] {
        try context.db.all(ExternalAccountRecord.self, "user_id = \(user.id) ORDER BY created_at DESC, rowid DESC")
    }

    func externalAccount(_ provider: String, _ subject: String) throws -> ExternalAccountRecord? {
        try context.db.find(ExternalAccountRecord.self, "provider = \(provider) AND subject = \(subject)")
    }

    /// Whether the row may identify its user at sign-in: it is verified, reserved, or never required a verification.
    func isUsable(_ row: IdentificationRecord) -> Bool {
        if row.isVerified || row.isReserved { return true }
        return row.kind == .email ? !context.settings.verifiesEmailAtSignUp : !context.settings.verifiesPhoneAtSignUp
    }

    /// Saves a change of the user, with the time of the request.
    func save(_ user: inout UserRecord) throws {
        user.updatedAt = context.now
        try context.db.save(user)
        try context.emit("user.updated", user.id, try context.userJSON.user(user, isPrivate: true))
    }

    /// Queues a webhook event about a new user; later changes in the same request are part of it.
    func announce(_ user: UserRecord) throws {
        try context.emit("user.created", user.id, try context.userJSON.user(user, isPrivate: true))
    }

    /// Adds an address or number that belongs to no other user; the first verified one becomes the primary one.
    @discardableResult
    func add(
        _ kind: IdentificationRecord.Kind, _ value: String, to user: inout UserRecord, verification: Verification?,
        isReserved: Bool = false
    ) throws -> IdentificationRecord {
        guard try claimed(kind, value) == nil, try identification(kind, value, of: user.id) == nil else {
            throw ClerkError.taken(kind.rawValue)
        }
        let row = IdentificationRecord(
            id: context.id(.identification), userID: user.id, kind: kind, value: value, verification: verification,
            isReserved: isReserved, createdAt: context.now, updatedAt: context.now)
        try context.db.save(row)
        if row.isVerified || isUsable(row) { makePrimaryWhereNone(row, &user) }
        try save(&user)
        return row
    }

    /// Makes `row` the primary one of its kind if the user has none.
    func makePrimaryWhereNone(_ row: IdentificationRecord, _ user: inout UserRecord) {
        switch row.kind {
        case .email: user.primaryEmailID = user.primaryEmailID ?? row.id
        case .phone: user.primaryPhoneID = user.primaryPhoneID ?? row.id
        }
    }

    /// Removes a user with all related rows: addresses, accounts, sessions, unfinished sign-ins.
    func delete(_ user: UserRecord) throws {
        for session in try context.db.all(SessionRecord.self, "user_id = \(user.id)") {
            try context.db.run(
                "UPDATE clients SET last_active_session_id = NULL, last_strategy = NULL, updated_at = \(context.now) WHERE last_active_session_id = \(session.id)"
            )
        }
        try context.db.run(
            "UPDATE clients SET sign_in_id = NULL WHERE sign_in_id IN (SELECT id FROM sign_ins WHERE user_id = \(user.id))"
        )
        try context.db.run("DELETE FROM users WHERE id = \(user.id)")
        try context.emitDeleted("user", user.id)
    }

    func count() throws -> Int {
        try context.db.count(UserRecord.self, "1")
    }

    /// Rejects the call if the instance has its maximum number of users.
    func checkQuota() throws {
        if let limit = context.settings.userLimit, try count() >= limit { throw ClerkError.quota(limit) }
    }
}
