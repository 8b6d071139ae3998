internal import LockstepEmulation
internal import LockstepPrimitives

/// An account.
///
/// Its searchable values are separate columns, and its lists are JSON in the same row, so that a lookup reads one row.
/// ``IdentityEntry`` and ``PasskeyEntry`` are the index of those lists.
struct User: Record, Equatable {
    var space: Int64 = 0
    var localID = ""
    var email: String?
    var emailVerified: Bool?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var isDisabled: Bool?
    private var passwordHash: String?
    private var passwordSalt: String?
    private var passwordScheme: String?
    var passwordUpdatedAt: Instant?
    /// Earlier ID tokens are revoked; in whole seconds since 1970.
    var validSince: Int64?
    /// The API lets administrators write any whole number here.
    var lastLoginAt: Int64?
    var createdAt: Int64?
    var lastRefreshAt: Instant?
    var isCustomAuth = false
    /// An object, as serialized JSON.
    var customAttributes: String?
    var signsInByLink: Bool?
    var initialEmail: String?
    var screenName: String?
    /// `nil` as long as no provider was linked.
    var identities: [Identity]?
    /// The second factors; `nil` if none was ever enrolled, or after all were removed together.
    var factors: [Factor]?
    var passkeys: [Passkey]?
    /// The place in the order in which the accounts of the space were created, which is the same time for all seeded ones.
    var number: Int64?
    /// The tenant of the account's space; this is not a column.
    var tenantID: String?

    init() {}

    init(localID: String) {
        self.localID = localID
    }

    static let table = Table<User>(
        "users",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("local_id", \.localID), Column("email", \.email),
            Column("email_verified", \.emailVerified), Column("display_name", \.displayName), Column("photo_url", \.photoURL),
            Column("phone_number", \.phoneNumber), Column("disabled", \.isDisabled), Column("password_hash", \.passwordHash),
            Column("password_salt", \.passwordSalt), Column("password_scheme", \.passwordScheme),
            Column("password_updated_at", \.passwordUpdatedAt), Column("valid_since", \.validSince),
            Column("last_login_at", \.lastLoginAt), Column("created_at", \.createdAt), Column("last_refresh_at", \.lastRefreshAt),
            Column("custom_auth", \.isCustomAuth), Column("custom_attributes", \.customAttributes),
            Column("signs_in_by_link", \.signsInByLink), Column("initial_email", \.initialEmail),
            Column("screen_name", \.screenName), Column("identities", \.identityList), Column("factors", \.factorList),
            Column("passkeys", \.passkeyList), Column("number", \.number),
        ], key: ["space", "local_id"],
        indexes: [
            Index("users_by_email", on: "space, email", isUnique: true, where: "email IS NOT NULL"),
            Index("users_by_phone_number", on: "space, phone_number", isUnique: true, where: "phone_number IS NOT NULL"),
            Index("users_by_initial_email", on: "space, initial_email", where: "initial_email IS NOT NULL"),
            Index("users_by_number", on: "space, number"),
        ], isKeyed: true)

    var password: StoredPassword? {
        get { passwordHash.map { StoredPassword(hash: $0, salt: passwordSalt, scheme: passwordScheme) } }
        set { (passwordHash, passwordSalt, passwordScheme) = (newValue?.hash, newValue?.salt, newValue?.scheme) }
    }

    private var identityList: String? {
        get { identities.map { .list($0.map(\.json)) } }
        set { identities = newValue?.elements { Identity($0) } }
    }

    private var factorList: String? {
        get { factors.map { .list($0.map(\.stored)) } }
        set { factors = newValue?.elements { Factor(stored: $0) } }
    }

    private var passkeyList: String? {
        get { passkeys.map { .list($0.map(\.stored)) } }
        set { passkeys = newValue?.elements { Passkey(stored: $0) } }
    }

    var hasFactors: Bool { !(factors ?? []).isEmpty }

    /// Whether the user has no way to sign in again.
    var isAnonymous: Bool {
        email == nil && phoneNumber == nil && password == nil && (identities ?? []).isEmpty && !isCustomAuth
    }

    /// The maximum length of an id in bytes.
    static let longestID = 128
}

extension User {
    /// Matches the entries of `providerUserInfo` to the account's address and number.
    ///
    /// The entry `password` exists only if the account has an address and also a password or sign-in by link. The entry
    /// `phone` exists only if it has a number. Each provider has one entry.
    mutating func settleIdentities(adding added: [Identity] = [], removing removed: [String] = []) {
        var added = added
        var removed = Set(removed.map(\.exact))
        if let email, password != nil || signsInByLink == true {
            added.append(
                Identity(
                    providerID: ProviderID.password, rawID: email, federatedID: email, email: email, displayName: displayName,
                    photoURL: photoURL))
        } else {
            removed.insert(ProviderID.password.exact)
        }
        if let phoneNumber {
            added.append(Identity(providerID: ProviderID.phone, rawID: phoneNumber, phoneNumber: phoneNumber))
        } else {
            removed.insert(ProviderID.phone.exact)
        }
        identities?.removeAll { removed.contains($0.providerID.exact) }
        guard !added.isEmpty else { return }
        var settled = identities ?? []
        var places = Dictionary(settled.enumerated().map { ($1.providerID.exact, $0) }) { first, _ in first }
        for identity in added {
            if let index = places[identity.providerID.exact] {
                settled[index] = identity
            } else {
                places[identity.providerID.exact] = settled.count
                settled.append(identity)
            }
        }
        identities = settled
    }

    /// Removes the address and the values that depend on it.
    mutating func removeEmail() {
        email = nil
        emailVerified = nil
        signsInByLink = nil
    }
}

extension String {
    /// Returns a list as it is stored in a column.
    fileprivate static func list(_ elements: [JSON]) -> String { JSON.array(elements).text() }

    /// Returns the elements of such a list.
    fileprivate func elements<Element>(_ element: (Body) -> Element?) -> [Element]? {
        try? JSON.parse(self).array?.compactMap { $0.object.map(Body.init).flatMap(element) }
    }
}
