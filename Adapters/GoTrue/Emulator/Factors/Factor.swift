internal import LockstepPrimitives

/// A second factor.
struct Factor: Sendable {
    enum Kind: String, Sendable {
        case totp
        case phone
        case webAuthn = "webauthn"

        /// Its name in `amr`.
        var method: AuthenticationMethod {
            switch self {
            case .totp: .totp
            case .phone: .phoneFactor
            case .webAuthn: .webAuthnFactor
            }
        }
    }

    var id: String
    var userID: String
    var name: String
    var kind: Kind
    var isVerified = false
    /// The key of codes, in base 32.
    var secret: String?
    var phone = ""
    var credential: JSONObject?
    var aaguid: String?
    var challengeData: JSONObject?
    var lastChallengedAt: Instant?
    var createdAt: Instant
    var updatedAt: Instant

    var status: String { isVerified ? "verified" : "unverified" }

    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "created_at": Timestamp.json(createdAt), "updated_at": Timestamp.json(updatedAt),
            "status": .string(status),
        ]
        if !name.isEmpty { object["friendly_name"] = .string(name) }
        object["factor_type"] = .string(kind.rawValue)
        object["phone"] = .string(phone)
        object["last_challenged_at"] = lastChallengedAt.map(Timestamp.json) ?? .null
        object["web_authn_aaguid"] = aaguid.map(JSON.string)
        object["last_webauthn_challenge_data"] = challengeData.map(JSON.object)
        return object
    }
}
