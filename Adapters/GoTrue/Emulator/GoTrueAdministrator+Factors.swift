public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors for the control routes.
extension GoTrueAdministrator {
    /// Returns the verified authenticator apps and phones of a user.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The factors, with their secrets.
    /// - Throws: An error of the emulator's database.
    public func factors(of id: String) throws -> [ControlledFactor] {
        guard let user = try state.database.read({ db in try db.user(id: id) }) else { return [] }
        return user.factors.filter(\.isControlled).map { enrolled($0, user) }
    }

    /// Adds a verified second factor, whose id is a UUID, to a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: The factor, with its secret.
    /// - Throws: ``UserValueError/unavailable(_:)`` if the settings do not allow this kind of factor.
    @discardableResult
    public func addFactor(_ values: DirectoryFactor, to id: String) throws -> ControlledFactor {
        try TransactionRunner(state).perform { context in
            guard var user = try context.db.user(id: id) else { throw UserValueError.invalid("id", expected: "the id of a user") }
            try Self.add([values], to: &user, context)
            guard let factor = user.factors.last else { throw UserValueError.unavailable("The second factor was not added.") }
            return enrolled(factor, user)
        }
    }

    /// Adds second factors to a stored user.
    static func add(_ added: [DirectoryFactor], to user: inout User, _ context: RequestContext) throws {
        var names = Set(user.factors.map(\.name.exact))
        var numbers = Set(user.factors.filter { $0.isVerified && $0.kind == .phone }.map(\.phone.exact))
        for values in added {
            var factor = try factor(values, of: user.id, context)
            if factor.kind == .phone, !numbers.insert(factor.phone.exact).inserted {
                throw UserValueError.conflict("This user has the second factor \"+\(factor.phone)\". Give another number.")
            }
            // Each name of a user's factor is unique; only the first factor may have no name.
            factor.name = values.friendlyName ?? (names.contains("") ? factor.id : "")
            guard names.insert(factor.name.exact).inserted else {
                throw UserValueError.conflict(
                    "This user has a second factor with the name \"\(factor.name)\". Give another name.")
            }
            try context.db.insert(factor)
            user.factors.append(factor)
        }
    }

    private static func factor(_ values: DirectoryFactor, of id: String, _ context: RequestContext) throws -> Factor {
        var factor = Factor(
            id: context.uuid(), userID: id, isVerified: true, createdAt: context.now, updatedAt: context.now)
        if let chosen = values.id {
            guard let chosen = UUIDText.normal(chosen) else { throw UserValueError.invalid("id", expected: "a UUID") }
            guard try context.db.find(Factor.self, "id = \(chosen)") == nil else { throw UserValueError.taken("id") }
            factor.id = chosen
        }
        switch values.kind {
        case .authenticatorApp(let secret): factor.secret = try TOTP.secret(secret, or: context.randomness)
        case .phone(let text):
            factor.kind = .phone
            factor.phone = try number(text)
        case .passkey, .backupCodes, .other: throw UserValueError.unsupported("kind")
        }
        let settings = context.settings.factors
        guard (factor.kind == .phone ? settings.phone : settings.totp).mayVerify else {
            let setting = "GOTRUE_MFA_\(factor.kind.rawValue.uppercased())_VERIFY_ENABLED"
            throw UserValueError.unavailable(
                "Second factors of the kind \"\(factor.kind.rawValue)\" are off. Set \(setting) to true.")
        }
        return factor
    }

    /// Returns the code that a factor currently accepts.
    ///
    /// For an authenticator app, the result is the code that the app shows. For a phone, the result is the code of the
    /// last challenge.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: The code; `nil` if the factor has no code, for example because the code was used or has expired.
    /// - Throws: An error of the emulator's database.
    public func code(of factor: ControlledFactor, of id: String) throws -> FactorCode? {
        let now = state.environment.now
        guard factor.factor.kind == .phone else { return factor.appCode(at: now) }
        let life = state.settings.factors.challengeLife
        return try state.database.read { db in
            let open: SQL = "factor_id = \(factor.factor.id) AND verified_at IS NULL AND created_at > \(now - life)"
            let challenge = try db.find(FactorChallenge.self, open + " ORDER BY created_at DESC, rowid DESC")
            guard let challenge, let code = challenge.code else { return nil }
            return FactorCode(code: Secret(code), expiresAt: challenge.createdAt + life)
        }
    }

    /// Removes a second factor of a user.
    ///
    /// If the assurance level of a session depends on this factor, the level is lowered.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: Whether the user had the factor.
    /// - Throws: An error of the emulator's database.
    public func removeFactor(_ factorID: String, of id: String) throws -> Bool {
        try state.database.write { db in
            guard let factor = try db.factors(of: id).first(where: { $0.id.exact == factorID.exact }) else { return false }
            try db.deleteFactor(factor)
            return true
        }
    }

    private static func number(_ text: String) throws(UserValueError) -> String {
        do throws(GoTrueError) {
            return try Address.phone(text)
        } catch {
            throw .invalid("phone", expected: "a number such as +15550100")
        }
    }

    private func enrolled(_ factor: Factor, _ user: User) -> ControlledFactor {
        ControlledFactor(
            ControlledUser.Factor(factor), secret: factor.secret.map { Secret($0) },
            issuer: GoURL(state.settings.siteURL)?.host ?? "",
            account: user.email.isEmpty ? user.phone : user.email)
    }
}

extension Factor {
    /// Whether the control routes show the factor: it is verified and not a security key.
    var isControlled: Bool { isVerified && kind != .webAuthn }
}

extension ControlledUser.Factor {
    init(_ factor: Factor) {
        self.init(
            id: factor.id, kind: factor.kind == .phone ? .phone : .totp, phone: factor.kind == .phone ? "+" + factor.phone : nil,
            name: factor.name.isEmpty ? nil : factor.name)
    }
}
