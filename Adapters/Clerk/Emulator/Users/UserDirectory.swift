import LockstepPrimitives

/// The users of the instance, found and changed inside one transaction.
struct UserDirectory {
    let exchange: Exchange

    private var store: Store { exchange.store }

    func find(_ id: String) throws -> UserRecord? {
        try store.find(UserRecord.self, "id = ?", .text(id))
    }

    /// The user that an identifier names: an e-mail address, a number or a user name, with the row that matched.
    func find(identifier: Identifier) throws -> (user: UserRecord, identification: IdentificationRecord?)? {
        switch identifier {
        case .username(let name):
            return try store.find(UserRecord.self, "username = ?", .text(name)).map { ($0, nil) }
        case .email(let text), .phone(let text):
            guard let row = try identification(identifier.identificationKind, text), isUsable(row),
                let user = try find(row.userID)
            else {
                return nil
            }
            return (user, row)
        }
    }

    /// The address or number `value`, of any user.
    func identification(_ kind: IdentificationRecord.Kind, _ value: String) throws -> IdentificationRecord? {
        try store.find(IdentificationRecord.self, "kind = ? AND value = ?", .text(kind.rawValue), .text(value))
    }

    /// The addresses and numbers of a user, the newest first.
    func identifications(of user: UserRecord) throws -> [IdentificationRecord] {
        try store.all(IdentificationRecord.self, "user_id = ? ORDER BY created_at DESC, rowid DESC", .text(user.id))
    }

    func externalAccounts(of user: UserRecord) throws -> [ExternalAccountRecord] {
        try store.all(ExternalAccountRecord.self, "user_id = ? ORDER BY created_at DESC, rowid DESC", .text(user.id))
    }

    func externalAccount(_ provider: String, _ subject: String) throws -> ExternalAccountRecord? {
        try store.find(ExternalAccountRecord.self, "provider = ? AND subject = ?", .text(provider), .text(subject))
    }

    /// Whether the row may name its user at sign-in: proven, reserved, or never asked for a proof.
    func isUsable(_ row: IdentificationRecord) -> Bool {
        if row.isVerified || row.isReserved { return true }
        return row.kind == .email ? !exchange.settings.verifiesEmailAtSignUp : !exchange.settings.verifiesPhoneAtSignUp
    }

    /// Saves a change of the user with the request's time.
    func save(_ user: inout UserRecord) throws {
        user.updatedAt = exchange.now
        try store.save(user)
    }

    /// Adds an address or number that no user has; the first proven one becomes the primary one.
    @discardableResult
    func add(
        _ kind: IdentificationRecord.Kind, _ value: String, to user: inout UserRecord, verification: Verification?,
        isReserved: Bool = false
    ) throws -> IdentificationRecord {
        guard try identification(kind, value) == nil else { throw ClerkError.taken(kind.rawValue) }
        let row = IdentificationRecord(
            id: exchange.id(.identification), userID: user.id, kind: kind, value: value, verification: verification,
            isReserved: isReserved, createdAt: exchange.now, updatedAt: exchange.now)
        try store.save(row)
        if row.isVerified || isUsable(row) { makePrimaryWhereNone(row, &user) }
        try save(&user)
        return row
    }

    /// Makes `row` the primary one of its kind where the user has none.
    func makePrimaryWhereNone(_ row: IdentificationRecord, _ user: inout UserRecord) {
        switch row.kind {
        case .email: user.primaryEmailID = user.primaryEmailID ?? row.id
        case .phone: user.primaryPhoneID = user.primaryPhoneID ?? row.id
        }
    }

    /// Removes a user with all its rows: addresses, accounts, sessions, unfinished sign-ins.
    func delete(_ user: UserRecord) throws {
        for session in try store.all(SessionRecord.self, "user_id = ?", .text(user.id)) {
            try store.run(
                "UPDATE clients SET last_active_session_id = NULL, last_strategy = NULL, updated_at = ? WHERE last_active_session_id = ?",
                .time(exchange.now), .text(session.id))
        }
        try store.run(
            "UPDATE clients SET sign_in_id = NULL WHERE sign_in_id IN (SELECT id FROM sign_ins WHERE user_id = ?)", .text(user.id)
        )
        try store.run("DELETE FROM users WHERE id = ?", .text(user.id))
    }

    func count() throws -> Int {
        try store.count(UserRecord.self, "1")
    }

    /// Refuses where the instance has its maximum number of users.
    func checkQuota() throws {
        if let limit = exchange.settings.userLimit, try count() >= limit { throw ClerkError.quota(limit) }
    }
}
