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
