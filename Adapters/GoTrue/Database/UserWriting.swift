internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPasswords
internal import LockstepPostgres
internal import LockstepPrimitives

/// The rows of a new user, which are checked before anything is sent.
struct NewUserRecord: Sendable {
    /// The user's id.
    ///
    /// If the caller passes none, it is created here, so that the user can be found even if the response is lost.
    let id: String
    let new: NewDirectoryUser
    let email: String?
    /// The number without the plus sign, as the server stores it.
    let phone: String?
    private(set) var password: StoredPassword
    let userMetadata: JSONObject
    let factors: [FactorColumns]
    let createdAt: Instant

    /// - Throws: `unsupported`, `invalidInput`, `invalidEmail`, `invalidPhone`; `weakPassword` for a password that
    ///   bcrypt would truncate.
    init(_ new: NewDirectoryUser, _ database: GoTrueDatabase) throws(AuthError) {
        try new.check(database.features, of: "GoTrue's database")
        guard let id = GoTrueDirectory.uuid(new.id ?? database.randomness.uuid()) else {
            throw AuthError(.invalidInput, "The user id is not a UUID. GoTrue accepts only UUIDs.")
        }
        self.id = id
        self.new = new
        email = try new.email.map { address throws(AuthError) in try EmailAddress(address).text.lowercased() }
        phone = try new.phone.map { number throws(AuthError) in try Self.digits(number) }
        password =
            switch new.password {
            case .text(let text): try StoredPassword(text, database)
            case .hash(let hash): .hash(try Self.checked(hash))
            case nil: .hash("")
            }
        userMetadata = GoTrueDirectory.newMetadata(of: new)
        createdAt = new.createdAt ?? database.clock.now
        factors = try new.factors.map { factor throws(AuthError) in try FactorColumns(factor) }
        try Self.check(new, now: database.clock.now)
    }

    /// Rejects a user whom the database would change, or who could never sign in.
    private static func check(_ new: NewDirectoryUser, now: Instant) throws(AuthError) {
        let isEmpty = new.email == nil && new.phone == nil && new.providerIdentities.isEmpty
        let problem: String? =
            if new.isDisabled, let end = new.bannedUntil, end <= now {
                "The user is disabled, but `bannedUntil` is in the past. Leave it out."
            } else if isEmpty, !new.isAnonymous {
                "The user has no address, number or identity. Add one, or make the user anonymous."
            } else {
                nil
            }
        if let problem { throw AuthError(.invalidInput, problem) }
        try GoTrueDirectory.check(banEnd: new.bannedUntil, now: now)
        for identity in new.providerIdentities { try identity.check() }
    }

    /// Returns the record with its password hashed; this blocks the thread.
    func hashingPassword() throws(PostgresError) -> NewUserRecord {
        var record = self
        record.password = .hash(try password.hashed())
        return record
    }

    var appMetadata: JSONObject {
        var names = new.providerIdentities.map(\.goTrueProvider)
        if new.signsInWithEmail { names.insert("email", at: 0) }
        if new.signsInWithPhone { names.append("phone") }
        var known: [JSON] = []
        for name in names where !known.contains(.string(name)) { known.append(.string(name)) }
        var members: JSONObject = [:]
        if let first = known.first { members = ["provider": first, "providers": .array(known)] }
        for member in new.appMetadata { members[member.name] = member.value }
        return members
    }

    /// The end of a permanent ban: the server has no such ban, so this is in a hundred years, as in
    /// ``GoTrueDirectory``.
    static let indefiniteBanEnd: PostgresStatement = "now() + interval '876000 hours'"

    var identities: [DirectoryIdentity] {
        var all = new.providerIdentities
        if new.signsInWithEmail { all.append(.address(of: id, email: email, isProven: new.isEmailConfirmed)) }
        if new.signsInWithPhone { all.append(.address(of: id, phone: phone, isProven: new.isPhoneConfirmed)) }
        return all
    }

    // MARK: Values

    /// Checks that GoTrue can verify a hash, and that its column can contain the hash.
    static func checked(_ hash: Secret) throws(AuthError) -> String {
        let text = try GoTrueDirectory.checked(hash)
        guard text.utf8.count <= 255 else {
            throw AuthError(
                .invalidInput, "The password hash is longer than 255 characters, GoTrue's limit. Let the user set a new password."
            )
        }
        return text
    }

    static func digits(_ number: String) throws(AuthError) -> String {
        let digits = number.hasPrefix("+") ? String(number.dropFirst()) : ""
        guard (2...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0"
        else {
            throw AuthError(.invalidPhone, "The number is not in E.164 format. Write it as in +4915112345678.")
        }
        return digits
    }
}

/// A password that will be stored in its column.
enum StoredPassword: Sendable {
    case hash(String)
    case text(Secret, any Randomness)

    /// Creates the value of a password.
    ///
    /// - Throws: `weakPassword` if bcrypt would not use the whole password.
    init(_ password: Secret, _ database: GoTrueDatabase) throws(AuthError) {
        self = .text(try GoTrueDirectory.hashable(password), database.randomness)
    }

    /// Returns the content of the column.
    ///
    /// For a password in clear text, this takes about 50 ms and blocks the thread.
    func hashed() throws(PostgresError) -> String {
        switch self {
        case .hash(let hash): return hash
        case .text(let password, let randomness):
            guard let hash = try? PasswordHasher.bcrypt(.real, randomness: randomness).hash(password) else {
                throw PostgresError(.mismatch, "The password cannot be hashed.")
            }
            return hash.text
        }
    }
}

/// The columns of a second factor.
struct FactorColumns: Sendable {
    let type: String
    let status: String
    let name: String
    var secret = ""
    var phone: String?
    let createdAt: Instant?

    init(_ factor: DirectoryFactor) throws(AuthError) {
        status = factor.isVerified ? "verified" : "unverified"
        name = factor.friendlyName ?? ""
        createdAt = factor.createdAt
        switch factor.kind {
        case .authenticatorApp(let secret):
            type = "totp"
            self.secret = String((secret?.reveal() ?? "").uppercased().filter { $0 != " " && $0 != "=" })
            guard !self.secret.isEmpty, self.secret.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) })
            else {
                throw AuthError(
                    .invalidInput,
                    "The authenticator app's secret is missing, encrypted or not base32. Provide the unencrypted secret in base32."
                )
            }
        case .phone(let number):
            type = "phone"
            phone = try NewUserRecord.digits(number)
        case .passkey: throw Self.notCarried("A passkey")
        case .backupCodes: throw Self.notCarried("A list of backup codes")
        case .other(let type): throw Self.notCarried("A second factor of type \"\(type)\"")
        }
    }

    private static func notCarried(_ what: String) -> AuthError {
        AuthError(.unsupported, "\(what) cannot be moved (\(DirectoryFeature.factors)). Let the user add it again.")
    }
}
