public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors for the control routes.
extension ClerkAdministrator {
    /// Returns a user's second factors, with the authenticator app first and then the phones.
    ///
    /// - Returns: The factors, with their secrets.
    /// - Throws: An error of the emulator's database.
    public func factors(of id: String) throws -> [ControlledFactor] {
        try perform { context in
            guard let user = try context.users.find(id) else { return [] }
            return try Self.factors(of: user, context.users.identifications(of: user)).map { try enrolled($0, user, context) }
        }
    }

    /// Returns the second factors of a user, whose identifications are `rows`, the newest first.
    static func factors(of user: UserRecord, _ rows: [IdentificationRecord]) -> [ControlledUser.Factor] {
        let app = user.isTOTPVerified ? [ControlledUser.Factor(id: totpID(of: user), kind: .totp)] : []
        return app
            + rows.reversed().filter { $0.kind == .phone && $0.isSecondFactor }.map {
                .init(id: $0.id, kind: .phone, phone: $0.value)
            }
    }

    /// Adds an authenticator app, or one of the user's phone numbers, as a second factor.
    ///
    /// Clerk chooses the id of the factor, and does not support names.
    ///
    /// - Returns: The factor, with its secret.
    /// - Throws: ``UserValueError/unavailable(_:)`` if the settings do not allow this kind of factor.
    @discardableResult
    public func addFactor(_ values: DirectoryFactor, to id: String) throws -> ControlledFactor {
        try perform { context in
            guard var user = try context.users.find(id) else { throw UserValueError.invalid("id", expected: "the id of a user") }
            // No user can sign in with a number that is a second factor, so the user needs another identifier.
            if values.kind.controlled == .phone, user.primaryEmailID == nil, user.username == nil {
                throw UserValueError.unavailable(
                    "Clerk reserves numbers of users with an address or a user name. Set \"email\".")
            }
            guard let factor = try Self.add([values], to: &user, context).last else { throw Self.noSuchUser }
            return try enrolled(factor, user, context)
        }
    }

    /// Adds second factors to a stored user.
    @discardableResult
    static func add(
        _ added: [DirectoryFactor], to user: inout UserRecord, _ context: RequestContext
    ) throws -> [ControlledUser.Factor] {
        guard !added.isEmpty else { return [] }
        let factors = try added.map { try factor($0, of: &user, context) }
        try context.db.save(user)
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        return factors
    }

    private static func factor(
        _ values: DirectoryFactor, of user: inout UserRecord, _ context: RequestContext
    ) throws -> ControlledUser.Factor {
        if values.id != nil { throw UserValueError.unsupported("id") }
        if values.friendlyName != nil { throw UserValueError.unsupported("name") }
        guard let kind = values.kind.controlled else { throw UserValueError.unsupported("kind") }
        let strategy: SecondFactor = kind == .totp ? .totp : .phoneCode
        guard context.settings.secondFactors.contains(strategy) else {
            throw UserValueError.unavailable(
                "Second factors of the kind \"\(kind.rawValue)\" are off. Add \(strategy.rawValue) to SECOND_FACTORS."
            )
        }
        switch values.kind {
        case .authenticatorApp(let secret):
            if user.isTOTPVerified {
                throw UserValueError.conflict("This user has a second factor of the kind \"totp\". Remove it first.")
            }
            user.totpSecret = try TOTP.secret(secret, or: context.randomness)
            user.isTOTPVerified = true
            return .init(id: totpID(of: user), kind: .totp)
        case .phone(let number):
            let row = try reserve(number, of: &user, context)
            return .init(id: row.id, kind: .phone, phone: row.value)
        case .passkey, .backupCodes, .other: throw UserValueError.unsupported("kind")
        }
    }

    /// Returns the verified number of a user, which becomes a second factor; a new number is added.
    private static func reserve(
        _ text: String, of user: inout UserRecord, _ context: RequestContext
    ) throws -> IdentificationRecord {
        guard let number = PhoneNumber(text)?.text else {
            throw UserValueError.invalid("phone", expected: "a number such as +15550100")
        }
        if let owner = try context.users.claimed(.phone, number), owner.userID.exact != user.id.exact {
            throw UserValueError.taken("phone")
        }
        var row =
            try context.users.identification(.phone, number, of: user.id)
            ?? context.users.add(.phone, number, to: &user, verification: .given(by: "admin"))
        if row.isSecondFactor {
            throw UserValueError.conflict("This user has the second factor \"\(number)\". Give another number.")
        }
        if !row.isVerified { row.verification = .given(by: "admin") }
        row.isReserved = false
        row.isSecondFactor = true
        row.updatedAt = context.now
        try context.db.save(row)
        return row
    }

    /// Returns the code that a factor currently accepts.
    ///
    /// For an authenticator app, the method returns the app's code. For a phone, it returns the code of the pending
    /// verification. A test number always has the same code.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: The code; `nil` if no code is valid, for example if the code was used or has expired.
    /// - Throws: An error of the emulator's database.
    public func code(of factor: ControlledFactor, of id: String) throws -> FactorCode? {
        guard let number = factor.factor.phone else { return factor.appCode(at: state.environment.now) }
        return try perform { context in
            if context.settings.isTestMode, PhoneNumber(number)?.isTest == true {
                return FactorCode(code: Secret(context.code(isTest: true)), expiresAt: nil)
            }
            let signIns = try context.db.all(SignInRecord.self, "user_id = \(id) AND status = 'needs_second_factor'")
            let sessions = try context.db.all(SessionRecord.self, "user_id = \(id) AND reverification IS NOT NULL")
            let open = (signIns.map(\.second) + sessions.map(\.reverification?.second)).compactMap(\.self)
                .filter {
                    $0.target?.exact == factor.factor.id.exact && $0.code != nil && $0.status(at: context.now) == .unverified
                }
                .max { ($0.sentAt ?? .distantPast) < ($1.sentAt ?? .distantPast) }
            guard let open, let code = open.code else { return nil }
            return FactorCode(code: Secret(code), expiresAt: open.expireAt)
        }
    }

    /// Removes an authenticator app, or a phone number as a second factor; the user keeps the number.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: Whether the user had the factor.
    /// - Throws: An error of the emulator's database.
    public func removeFactor(_ factorID: String, of id: String) throws -> Bool {
        try perform { context in
            guard var user = try context.users.find(id) else { return false }
            if factorID.exact == Self.totpID(of: user).exact, user.isTOTPVerified {
                user.totpSecret = nil
                user.isTOTPVerified = false
            } else {
                guard
                    var row = try context.users.identifications(of: user).first(where: {
                        $0.id.exact == factorID.exact && $0.isSecondFactor
                    })
                else { return false }
                row.isSecondFactor = false
                row.isDefaultSecondFactor = false
                row.updatedAt = context.now
                try context.db.save(row)
            }
            try context.secondFactors.settle(&user)
            try context.users.save(&user)
            return true
        }
    }

    /// Returns the id of a user's authenticator app, as Clerk writes it.
    private static func totpID(of user: UserRecord) -> String { "totp_" + user.id.dropFirst(5) }

    private func enrolled(_ factor: ControlledUser.Factor, _ user: UserRecord, _ context: RequestContext) throws
        -> ControlledFactor
    {
        let secret = factor.kind == .totp ? user.totpSecret.map { Secret($0) } : nil
        let account = try context.userJSON.publicData(user)["identifier"]?.string ?? user.id
        return ControlledFactor(factor, secret: secret, issuer: context.settings.applicationName, account: account)
    }
}
