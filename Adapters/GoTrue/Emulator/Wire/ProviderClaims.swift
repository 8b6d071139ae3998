internal import LockstepPrimitives

/// A person's profile at a provider.
struct ProviderClaims {
    var subject: String
    /// The primary address; `nil` if the provider returns none.
    var email: String?
    var isEmailVerified = false
    /// The stored identity data.
    var data: JSONObject

    /// The claims that the server's own structure can contain; others are dropped.
    private static let known = [
        "iss", "sub", "aud", "iat", "exp", "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "email", "email_verified",
        "phone", "phone_verified", "custom_claims", "full_name", "avatar_url", "slug", "provider_id", "user_name",
    ]

    /// Reads the claims of an ID token, by the rules for its provider.
    init(idToken claims: JSONObject, provider: String) {
        subject = claims["sub"]?.string ?? ""
        let address = claims["email"]?.string
        email = address.flatMap { $0.isEmpty ? nil : $0 }
        isEmailVerified = claims["email_verified"]?.bool ?? (claims["email_verified"]?.string == "true")
        switch provider {
        case "apple":
            isEmailVerified = email != nil
            data = ["iss": claims["iss"] ?? "", "sub": .string(subject), "provider_id": .string(subject)]
            var custom: JSONObject = [:]
            for name in ["auth_time", "is_private_email"] { custom[name] = claims[name] }
            if !custom.isEmpty { data["custom_claims"] = .object(custom) }
        case "google":
            data = ["iss": claims["iss"] ?? "", "sub": .string(subject), "provider_id": .string(subject)]
            for (name, source) in [("name", "name"), ("full_name", "name"), ("picture", "picture"), ("avatar_url", "picture")] {
                data[name] = claims[source]
            }
            if let domain = claims["hd"] { data["custom_claims"] = ["hd": domain] }
        default:
            data = [:]
            for name in Self.known { data[name] = claims[name].flatMap { Self.isEmpty($0) ? JSON?.none : $0 } }
            if let audience = data["aud"]?.string { data["aud"] = [.string(audience)] }
        }
        finish()
    }

    /// Reads the response of an OpenID provider's user-info endpoint, as the code flow stores it.
    init(userInfo info: JSONObject, issuer: String) {
        subject = info["sub"]?.string ?? ""
        email = info["email"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        isEmailVerified = info["email_verified"]?.bool ?? false
        data = ["iss": .string(issuer), "sub": .string(subject), "provider_id": .string(subject), "custom_claims": [:]]
        if let name = info["name"]?.string, !name.isEmpty {
            data["name"] = .string(name)
            data["full_name"] = .string(name)
        }
        finish()
    }

    /// Reads the name that Apple sends with the code of a first sign-in.
    mutating func addName(ofForm text: String) {
        guard let name = (try? JSON.parse(Array(text.utf8)))?["name"] else { return }
        let parts = ["firstName", "lastName"].map { name[$0]?.string ?? "" }
        let whole = parts.filter { !$0.isEmpty }.joined(separator: " ")
        guard !whole.isEmpty else { return }
        for member in ["name", "full_name"] { data[member] = .string(whole) }
    }

    private mutating func finish() {
        if let email { data["email"] = .string(email) }
        data["email_verified"] = .bool(isEmailVerified)
        if data["phone_verified"]?.bool == nil { data["phone_verified"] = false }
    }

    private static func isEmpty(_ value: JSON) -> Bool {
        switch value {
        case .string(let text): text.isEmpty
        case .int(let number): number == 0
        case .null: true
        default: false
        }
    }
}
