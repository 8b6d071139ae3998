internal import LockstepPrimitives

/// An account, as it is stored.
struct User: Sendable, Equatable {
    let localID: String
    var email: String?
    var emailVerified: Bool?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var isDisabled: Bool?
    var password: StoredPassword?
    var passwordUpdatedAt: Instant?
    /// Earlier ID tokens are revoked; whole seconds since 1970.
    var validSince: Int64?
    /// The wire lets administrators write any whole number here.
    var lastLoginAt: Int64?
    var createdAt: Int64?
    var lastRefreshAt: Instant?
    var isCustomAuth = false
    /// An object, as serialized JSON.
    var customAttributes: String?
    var signsInByLink: Bool?
    var initialEmail: String?
    var tenantID: String?
    var screenName: String?
    /// `nil` while no provider was ever linked.
    var identities: [Identity]?
    /// `nil` while no factor was ever enrolled, and after all were cleared at once.
    var factors: [Factor]?
    var passkeys: [Passkey]?

    init(localID: String) {
        self.localID = localID
    }

    var hasFactors: Bool { !(factors ?? []).isEmpty }
}

extension User {
    /// Matches the entries of `providerUserInfo` to the account's address and number.
    ///
    /// The entry `password` exists exactly while the account has an address and a password or signs in by link, the entry
    /// `phone` exactly while it has a number; each provider has one entry.
    mutating func settleIdentities(adding added: [Identity] = [], removing removed: [String] = []) {
        var added = added
        var removed = Set(removed)
        if let email, password != nil || signsInByLink == true {
            added.append(
                Identity(
                    providerID: ProviderID.password, rawID: email, federatedID: email, email: email, displayName: displayName,
                    photoURL: photoURL))
        } else {
            removed.insert(ProviderID.password)
        }
        if let phoneNumber {
            added.append(Identity(providerID: ProviderID.phone, rawID: phoneNumber, phoneNumber: phoneNumber))
        } else {
            removed.insert(ProviderID.phone)
        }
        identities?.removeAll { removed.contains($0.providerID) }
        for identity in added {
            if let index = identities?.firstIndex(where: { $0.providerID == identity.providerID }) {
                identities?[index] = identity
            } else {
                identities = (identities ?? []) + [identity]
            }
        }
    }

    /// Removes the address and the values that depend on it.
    mutating func removeEmail() {
        email = nil
        emailVerified = nil
        signsInByLink = nil
    }
}

/// One entry of `providerUserInfo`.
struct Identity: Sendable, Equatable {
    var providerID: String
    var rawID: String
    var federatedID: String?
    var email: String?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var screenName: String?

    init(
        providerID: String, rawID: String, federatedID: String? = nil, email: String? = nil, displayName: String? = nil,
        photoURL: String? = nil, phoneNumber: String? = nil, screenName: String? = nil
    ) {
        self.providerID = providerID
        self.rawID = rawID
        self.federatedID = federatedID
        self.email = email
        self.displayName = displayName
        self.photoURL = photoURL
        self.phoneNumber = phoneNumber
        self.screenName = screenName
    }

    /// Reads what ``json`` wrote, or what a request gave; `nil` without provider or subject.
    init?(_ body: Body) {
        guard let provider = body.given("providerId"), let raw = body.given("rawId") else { return nil }
        self.init(
            providerID: provider, rawID: raw, federatedID: body.text("federatedId"), email: body.text("email"),
            displayName: body.text("displayName"), photoURL: body.text("photoUrl"), phoneNumber: body.text("phoneNumber"),
            screenName: body.text("screenName"))
    }

    var json: JSON {
        var members: JSONObject = ["providerId": .string(providerID)]
        members["email"] = email.map(JSON.string)
        members["federatedId"] = federatedID.map(JSON.string)
        members["rawId"] = .string(rawID)
        members["displayName"] = displayName.map(JSON.string)
        members["photoUrl"] = photoURL.map(JSON.string)
        members["phoneNumber"] = phoneNumber.map(JSON.string)
        members["screenName"] = screenName.map(JSON.string)
        return .object(members)
    }
}

/// The name of a way to sign in, as tokens and `providerUserInfo` have it.
enum ProviderID {
    static let password = "password"
    static let phone = "phone"
    static let anonymous = "anonymous"
    static let custom = "custom"
    static let passkey = "passkey"
    static let gameCenter = "gc.apple.com"
    static let google = "google.com"
    static let apple = "apple.com"
}
