public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Second factors for the control routes.
extension FirebaseAdministrator {
    /// Returns the second factors of a user, oldest first.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The factors, with their secrets.
    /// - Throws: An error of the emulator's database.
    public func factors(of id: String) throws -> [ControlledFactor] {
        try perform { context in
            guard let user = try context.users.find(id) else { return [] }
            return (user.factors ?? []).map { enrolled($0, user) }
        }
    }

    /// Adds a second factor to a user whose email address is verified.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: The factor, with its secret.
    /// - Throws: ``UserValueError/unavailable(_:)`` if the factor is an authenticator app, and the settings do not
    ///   allow such apps in emulator mode.
    @discardableResult
    public func addFactor(_ values: DirectoryFactor, to id: String) throws -> ControlledFactor {
        try perform { context in
            guard var user = try context.users.find(id) else {
                throw UserValueError.invalid("id", expected: "the id of a user")
            }
            // As production's administration does (https://cloud.google.com/identity-platform/docs/admin/manage-mfa-users).
            guard user.email != nil, user.emailVerified == true else {
                throw UserValueError.unavailable(
                    "Firebase keeps second factors of users with a verified address. Verify \"email\".")
            }
            try Self.add([values], to: &user, context)
            try context.users.update(user, identitiesChanged: false)
            guard let factor = user.factors?.last else { throw UserValueError.unavailable("The second factor was not added.") }
            return enrolled(factor, user)
        }
    }

    /// Adds second factors to a user, whom the caller stores.
    ///
    /// A user's address may have changed since the user added the factors, so an unverified address is not an error
    /// here.
    static func add(
        _ added: [DirectoryFactor], to user: inout LockstepFirebaseEmulator.User, _ context: RequestContext
    ) throws {
        guard !added.isEmpty else { return }
        var factors = user.factors ?? []
        var ids = Set(factors.map(\.id.exact))
        var numbers = Set(factors.compactMap(\.phone?.exact))
        for values in added {
            let factor = try factor(values, context)
            guard ids.insert(factor.id.exact).inserted else {
                throw UserValueError.conflict("This user has the second factor \"\(factor.id)\". Give another id.")
            }
            if let number = factor.phone, !numbers.insert(number.exact).inserted {
                throw UserValueError.conflict("This user has the second factor \"\(number)\". Give another number.")
            }
            factors.append(factor)
        }
        user.factors = factors
    }

    private static func factor(_ values: DirectoryFactor, _ context: RequestContext) throws -> Factor {
        if values.id?.isEmpty == true { throw UserValueError.invalid("id", expected: "a non-empty string") }
        var factor = Factor(id: values.id ?? context.newID(), displayName: values.friendlyName, enrolledAt: context.now.rfc3339)
        switch values.kind {
        case .authenticatorApp(let secret):
            guard context.rules.asksForTimeFactors else {
                throw UserValueError.unavailable(
                    "Second factors of the kind \"totp\" are off. Set allowsTimeFactors to true.")
            }
            factor.secret = try TOTP.secret(secret, or: context.randomness)
        case .phone(let number):
            guard context.rules.asksForTextFactors else {
                throw UserValueError.unavailable(
                    "Second factors of the kind \"phone\" are off. Add PHONE_SMS to the enabledProviders of the project's mfa."
                )
            }
            guard Formats.isPhoneNumber(number, isStrict: true) else {
                throw UserValueError.invalid("phone", expected: "a number such as +15550100")
            }
            factor.phone = number
        case .passkey, .backupCodes, .other: throw UserValueError.unsupported("kind")
        }
        return factor
    }

    /// Returns the code that a factor currently accepts.
    ///
    /// For an authenticator app, the result is the code that the app shows. For a phone, the result is the last code
    /// that was sent to the phone.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: The code; `nil` if the factor has no code, for example because the code was used or has expired.
    /// - Throws: An error of the emulator's database.
    public func code(of factor: ControlledFactor, of id: String) throws -> FactorCode? {
        guard let number = factor.factor.phone else { return factor.appCode(at: state.environment.now) }
        return try perform { context in
            let life = context.settings.lifetimes.textMessage
            guard let sent = try context.phoneNumbers.codes().last(where: { $0.phoneNumber == number }) else { return nil }
            if let life, context.now - sent.createdAt > life { return nil }
            return FactorCode(code: Secret(sent.code), expiresAt: life.map { sent.createdAt + $0 })
        }
    }

    /// Removes a second factor of a user.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    /// - Returns: Whether the user had the factor.
    /// - Throws: An error of the emulator's database.
    public func removeFactor(_ factorID: String, of id: String) throws -> Bool {
        try perform { context in
            guard var user = try context.users.find(id) else { return false }
            let rest = (user.factors ?? []).filter { $0.id.exact != factorID.exact }
            guard rest.count < (user.factors ?? []).count else { return false }
            user.factors = rest
            try context.users.update(user, identitiesChanged: false)
            return true
        }
    }

    private func enrolled(_ factor: Factor, _ user: LockstepFirebaseEmulator.User) -> ControlledFactor {
        ControlledFactor(
            ControlledUser.Factor(factor), secret: factor.secret.map { Secret($0) }, issuer: state.project,
            account: user.email ?? user.localID)
    }
}

extension ControlledUser.Factor {
    init(_ factor: Factor) {
        self.init(id: factor.id, kind: factor.phone == nil ? .totp : .phone, phone: factor.phone, name: factor.displayName)
    }
}
