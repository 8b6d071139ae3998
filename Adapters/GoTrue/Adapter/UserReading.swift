package import Lockstep
package import LockstepPrimitives
internal import LockstepWire

extension User {
    /// Reads GoTrue's user object.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(goTrue object: JSONObject) throws(AuthError) {
        guard let id = object["id"]?.string, !id.isEmpty else { throw ErrorMapping.incomplete("the user's id") }
        let metadata = object["user_metadata"]
        self.init(
            id: id, email: object["email"]?.filled, isEmailVerified: object["email_confirmed_at"]?.filled != nil,
            phone: object["phone"]?.phone,
            displayName: Self.nameMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            photoURL: Self.photoMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            isAnonymous: object["is_anonymous"]?.bool ?? false,
            identities: object["identities"]?.array?.compactMap(Identity.init(goTrue:)) ?? [],
            createdAt: object["created_at"]?.instant, metadata: metadata?.object, fields: object)
    }

    /// The members that may hold a name, the adapter's own first: identity providers send `full_name` and `name`.
    static let nameMembers = ["display_name", "full_name", "name"]
    /// The members that may hold a photo's address.
    static let photoMembers = ["avatar_url", "picture"]

    /// The second factors that have been proven once.
    var goTrueFactors: [FactorChoice] {
        goTrue.factors.filter(\.isVerified).compactMap { factor in
            switch factor.type {
            case "totp": FactorChoice(id: factor.id, kind: .authenticatorApp, label: factor.friendlyName)
            case "phone":
                FactorChoice(
                    id: factor.id, kind: .phone, label: factor.phone.map { Destination.masked(phone: $0) } ?? factor.friendlyName)
            case "webauthn": FactorChoice(id: factor.id, kind: .passkey, label: factor.friendlyName)
            default: nil
            }
        }
    }
}

extension Identity {
    /// Reads one of a user's identities; the id is that of the row, which unlinking takes.
    init?(goTrue object: JSON) {
        guard let provider = object["provider"]?.string, let id = object["identity_id"]?.string ?? object["id"]?.string else {
            return nil
        }
        self.init(
            id: id, provider: IdentityProvider(rawValue: provider),
            email: object["email"]?.filled ?? object["identity_data"]?["email"]?.filled)
    }
}
