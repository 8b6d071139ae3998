internal import Lockstep
internal import LockstepPrimitives

extension User {
    /// Reads GoTrue's user object.
    ///
    /// - Throws: `invalidResponse` where it is none.
    init(goTrue object: JSONObject) throws(AuthError) {
        guard let id = object["id"]?.string, !id.isEmpty else { throw ErrorMapping.incomplete("the user's id") }
        let metadata = object["user_metadata"]
        self.init(
            id: id, email: object["email"]?.filled, isEmailVerified: object["email_confirmed_at"]?.filled != nil,
            // GoTrue keeps numbers without their plus sign.
            phone: (object["phone"]?.filled).map { $0.hasPrefix("+") ? $0 : "+" + $0 },
            displayName: Self.nameMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            photoURL: Self.photoMembers.lazy.compactMap { metadata?[$0]?.filled }.first,
            isAnonymous: object["is_anonymous"]?.bool ?? false,
            identities: object["identities"]?.array?.compactMap(Identity.init(goTrue:)) ?? [],
            createdAt: (object["created_at"]?.string).flatMap { Instant(rfc3339: $0) }, fields: object)
    }

    /// Where a name may stand, our own place first: identity providers bring `full_name` and `name`.
    static let nameMembers = ["display_name", "full_name", "name"]
    /// Where a photo's address may stand.
    static let photoMembers = ["avatar_url", "picture"]

    /// The second factors that have been proven once.
    var goTrueFactors: [FactorChoice] {
        (fields["factors"]?.array ?? []).compactMap { factor in
            guard factor["status"]?.string == "verified", let id = factor["id"]?.string else { return nil }
            switch factor["factor_type"]?.string {
            case "totp": return FactorChoice(id: id, kind: .authenticatorApp, label: factor["friendly_name"]?.filled)
            case "phone":
                let number = factor["phone"]?.filled.map { Destination.masked(phone: $0) }
                return FactorChoice(id: id, kind: .phone, label: factor["friendly_name"]?.filled ?? number)
            case "webauthn": return FactorChoice(id: id, kind: .passkey, label: factor["friendly_name"]?.filled)
            default: return nil
            }
        }
    }
}

extension Identity {
    /// Reads one of a user's identities; the id is that of the row, by which it can be unlinked.
    init?(goTrue object: JSON) {
        guard let provider = object["provider"]?.string, let id = object["identity_id"]?.string ?? object["id"]?.string else {
            return nil
        }
        self.init(
            id: id, provider: IdentityProvider(rawValue: provider),
            email: object["email"]?.filled ?? object["identity_data"]?["email"]?.filled)
    }
}

extension JSON {
    /// The text, where it is one and not empty: GoTrue writes `""` for what is not there.
    var filled: String? {
        guard let string, !string.isEmpty else { return nil }
        return string
    }
}
