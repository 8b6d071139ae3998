import LockstepPrimitives

/// The second factors of a user.
struct SecondFactors {
    /// The factors that were found.
    struct Found {
        var hasTOTP = false
        var hasBackupCodes = false
        var phones: [IdentificationRecord] = []

        /// Whether a sign-in requires a second factor; backup codes alone do not require it.
        var isEnabled: Bool { hasTOTP || !phones.isEmpty }
    }

    let context: RequestContext

    func of(_ user: UserRecord, _ rows: [IdentificationRecord]? = nil) throws -> Found {
        let settings = context.settings
        let rows = try rows ?? context.users.identifications(of: user)
        var found = Found()
        found.hasTOTP = user.isTOTPVerified && settings.secondFactors.contains(.totp)
        if settings.secondFactors.contains(.phoneCode) {
            found.phones = rows.filter { $0.kind == .phone && $0.isSecondFactor && $0.isVerified }
        }
        if settings.secondFactors.contains(.backupCode) {
            found.hasBackupCodes =
                try context.db.exists("SELECT 1 FROM backup_codes WHERE user_id = \(user.id)")
        }
        return found
    }

    /// Stores whether the user has a second factor, and removes the backup codes of a user without one.
    func settle(_ user: inout UserRecord) throws {
        let found = try of(user)
        if found.isEnabled {
            if user.mfaEnabledAt == nil { user.mfaEnabledAt = context.now }
        } else {
            if user.mfaEnabledAt != nil { user.mfaDisabledAt = context.now }
            user.mfaEnabledAt = nil
            try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id)")
        }
    }

    /// Replaces all backup codes with ten new ones.
    func renewBackupCodes(of user: UserRecord) throws -> [String] {
        let codes = (0..<10).map { _ in context.randomness.text(8, of: "0123456789abcdefghijklmnopqrstuvwxyz") }
        try setBackupCodes(codes, of: user)
        return codes
    }

    func setBackupCodes(_ codes: [String], of user: UserRecord) throws {
        try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id)")
        for code in codes {
            try context.db.run("INSERT OR IGNORE INTO backup_codes VALUES (\(user.id), \(code))")
        }
    }

    /// Accepts a backup code; returns `false` if the user does not have it.
    func spendBackupCode(_ code: String, of user: UserRecord) throws -> Bool {
        try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id) AND code = \(code)") == 1
    }
}

/// The factors that a user can complete, as lists in a response (https://clerk.com/docs/reference/frontend-api).
struct FactorList {
    let context: RequestContext
    let user: UserRecord
    let rows: [IdentificationRecord]
    private let accounts: [ExternalAccountRecord]
    private let hasPasskey: Bool

    init(context: RequestContext, user: UserRecord) throws {
        self.context = context
        self.user = user
        let repository = context.users
        // The oldest address comes first in these lists.
        rows = try repository.identifications(of: user).filter(repository.isUsable).reversed()
        accounts = try repository.externalAccounts(of: user)
        hasPasskey = try context.settings.passkeys.isEnabled && !context.passkeys.of(user.id).isEmpty
    }

    private var settings: ClerkSettings { context.settings }
    private var emails: [IdentificationRecord] { rows.filter { $0.kind == .email } }
    private var phones: [IdentificationRecord] { rows.filter { $0.kind == .phone && !$0.isSecondFactor } }

    /// Returns the first factors.
    ///
    /// The reset of a password is listed only for the kind of identifier that was used.
    func first(identifierKind: String?) -> [JSONObject] {
        var factors: [JSONObject] = hasPasskey ? [["strategy": "passkey"]] : []
        if user.passwordDigest != nil, settings.password.isEnabled, settings.signsInByPassword {
            factors.append(["strategy": "password"])
        }
        if settings.phoneNumber.isEnabled, settings.signsInByPhoneCode { factors += phones.map { factor("phone_code", $0) } }
        if settings.emailAddress.isEnabled {
            if settings.emailSignIn.contains(.code) { factors += emails.map { factor("email_code", $0) } }
            if settings.emailSignIn.contains(.link) { factors += emails.map { factor("email_link", $0) } }
        }
        factors += providers.map { ["strategy": .string("oauth_\($0)")] }
        if settings.password.isEnabled, settings.signsInByPassword {
            if identifierKind == "email_address" { factors += emails.map { factor("reset_password_email_code", $0) } }
            if identifierKind == "phone_number" { factors += phones.map { factor("reset_password_phone_code", $0) } }
        }
        return factors
    }

    /// Returns the second factors that the user has set up.
    func second() throws -> [JSONObject] {
        let found = try context.secondFactors.of(user, rows)
        var factors: [JSONObject] = []
        if found.hasTOTP { factors.append(["strategy": "totp"]) }
        for phone in found.phones {
            var factor: JSONObject = ["strategy": "phone_code"]
            factor["safe_identifier"] = .string(phone.value)
            factor["phone_number_id"] = .string(phone.id)
            factor["default"] = .bool(phone.isDefaultSecondFactor)
            factors.append(factor)
        }
        if found.isEnabled, found.hasBackupCodes { factors.append(["strategy": "backup_code"]) }
        return factors
    }

    /// Returns the factors that a new client needs in addition to the password.
    func clientTrust() -> [JSONObject] {
        emails.map { factor("email_code", $0) } + phones.map { factor("phone_code", $0) }
    }

    /// Returns the first factors of a session's reverification.
    func reverification() throws -> [JSONObject] {
        let own = first(identifierKind: nil).filter {
            ["passkey", "password", "email_code", "phone_code"].contains($0["strategy"]?.string)
        }
        return own + (try Extensions.strategies.flatMap { try $0.reverificationFactors(context, user) })
    }

    private var providers: [String] {
        let enabled = Set(settings.providers.filter(\.allowsRedirect).map(\.name))
        return Set(accounts.map(\.provider)).intersection(enabled).sorted()
    }

    private func factor(_ strategy: String, _ row: IdentificationRecord) -> JSONObject {
        let isPrimary = row.id.exact == (row.kind == .email ? user.primaryEmailID : user.primaryPhoneID)?.exact
        return [
            "strategy": .string(strategy), "safe_identifier": .string(row.value), "\(row.kind.rawValue)_id": .string(row.id),
            "primary": .bool(isPrimary),
        ]
    }
}

/// The factors for an unknown identifier if the instance hides accounts: factors that any account could have.
struct PretendedFactors {
    let settings: ClerkSettings
    let signIn: SignInRecord

    /// The first factors, in the order of real ones.
    var first: [JSONObject] {
        var factors: [JSONObject] = []
        let hasPassword = settings.password.isEnabled && settings.signsInByPassword
        if hasPassword { factors.append(["strategy": "password"]) }
        switch signIn.identifierKind {
        case "email_address":
            if settings.emailSignIn.contains(.code) { factors.append(factor("email_code")) }
            if settings.emailSignIn.contains(.link) { factors.append(factor("email_link")) }
            if hasPassword { factors.append(factor("reset_password_email_code")) }
        case "phone_number":
            if settings.signsInByPhoneCode { factors.append(factor("phone_code")) }
            if hasPassword { factors.append(factor("reset_password_phone_code")) }
        default: break
        }
        return factors
    }

    /// Returns a verification as if a message had been sent; no code is correct.
    func proof(_ strategy: String, _ context: RequestContext) throws -> Verification {
        guard first.contains(where: { $0["strategy"]?.string == strategy }) else { throw ClerkError.strategyInvalidForUser }
        let previous = signIn.first?.strategy == strategy ? signIn.first : nil
        try context.proofs.checkInterval(previous, isTest: false)
        let isLink = strategy == "email_link"
        var proof = Verification(object: isLink ? "verification_email_link" : "verification_otp", strategy: strategy)
        proof.attempts = isLink ? nil : 0
        proof.channel = strategy.contains("phone") ? "sms" : nil
        proof.expireAt = context.now + (isLink ? settings.linkLifetime : settings.codeLifetime)
        proof.sentAt = context.now
        proof.code = context.token()
        return proof
    }

    private func factor(_ strategy: String) -> JSONObject {
        [
            "strategy": .string(strategy), "safe_identifier": .text(signIn.identifier),
            // An id that stays the same during the sign-in, and looks like any other id.
            "\(signIn.identifierKind ?? "")_id": .string("idn_" + signIn.id.dropFirst("sia_".count)), "primary": true,
        ]
    }
}
