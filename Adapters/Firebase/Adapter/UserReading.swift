internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension User {
    /// Reads a user of `accounts:lookup`.
    ///
    /// Firebase does not mark guests, so the token's claims decide: a guest signed in without a proof and has no identity yet.
    ///
    /// - Throws: `invalidResponse` for any other object.
    init(firebase object: JSONObject, claims: JSONObject) throws(AuthError) {
        guard let id = object["localId"]?.filled else { throw ErrorMapping.incomplete("the user's id") }
        var fields = object
        // A real project redacts this; an emulator shows it in the clear.
        for name in ["passwordHash", "salt"] { fields[name] = nil }
        let identities = (object["providerUserInfo"]?.array ?? []).compactMap(Identity.init(firebase:))
        let email = object["email"]?.filled
        let phone = object["phoneNumber"]?.filled
        let isGuests = claims["firebase"]?["sign_in_provider"]?.string == "anonymous"
        self.init(
            id: id, email: email, isEmailVerified: object["emailVerified"]?.bool ?? false, phone: phone,
            displayName: object["displayName"]?.filled, photoURL: object["photoUrl"]?.filled,
            isAnonymous: isGuests && identities.isEmpty && email == nil && phone == nil, identities: identities,
            createdAt: (object["createdAt"]?.string).flatMap { Int64($0) }.map { Instant(milliseconds: $0) }, fields: fields)
    }

    /// The user, updated from a newer token's claims.
    func updated(by claims: JSONObject) -> User {
        var user = self
        if let email = claims["email"]?.filled { user.email = email }
        if let isVerified = claims["email_verified"]?.bool { user.isEmailVerified = isVerified }
        if let name = claims["name"]?.filled { user.displayName = name }
        if let photo = claims["picture"]?.filled { user.photoURL = photo }
        if let phone = claims["phone_number"]?.filled { user.phone = phone }
        return user
    }

    /// Whether a token's claims match the user.
    func isTold(by claims: JSONObject) -> Bool {
        claims["email"]?.filled == email && (claims["email_verified"]?.bool ?? false) == isEmailVerified
            && claims["name"]?.filled == displayName && claims["picture"]?.filled == photoURL
            && claims["phone_number"]?.filled == phone
    }
}

extension Identity {
    /// Reads one of a user's identities; the id is the provider's, which unlinking takes.
    init?(firebase object: JSON) {
        guard let id = object["providerId"]?.filled else { return nil }
        self.init(id: id, provider: IdentityProvider(firebase: id), email: object["email"]?.filled)
    }
}

extension IdentityProvider {
    /// The provider with Firebase's name.
    init(firebase id: String) {
        self =
            switch id {
            case "password": .email
            case "apple.com": .apple
            case "google.com": .google
            case "github.com": .github
            default: IdentityProvider(rawValue: id)
            }
    }

    /// Firebase's name for it.
    var firebaseID: String {
        switch self {
        case .email: "password"
        case .apple: "apple.com"
        case .google: "google.com"
        case .github: "github.com"
        default: rawValue
        }
    }
}
