internal import LockstepPrimitives

/// A user's profile at an identity provider.
struct Profile {
    let provider: String
    let rawID: String
    let federatedID: String
    var email: String?
    var emailVerified: Bool
    let displayName: String?
    let photoURL: String?
    let screenName: String?
    let firstName: String?
    let lastName: String?
    /// Firebase's `rawUserInfo`.
    let raw: String?
    /// The attributes of a SAML assertion, which become a claim.
    let attributes: JSON?

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - saml: The SAML fields.
    ///   - isLenient: Whether any `email_verified` that is not empty is treated as true, as in Firebase's emulator.
    init(provider: String, claims: JSONObject, saml: SAMLAssertion?, isLenient: Bool) {
        self.provider = provider
        rawID = claims["sub"]?.string ?? ""
        email = claims["email"]?.string.flatMap { $0.isEmpty ? nil : Formats.canonical($0) }
        emailVerified = Self.isTrue(claims["email_verified"], isLenient: isLenient)
        displayName = claims["name"]?.string
        photoURL = claims["picture"]?.string
        screenName = claims["screen_name"]?.string
        attributes = saml?.attributes
        let isGoogle = provider == ProviderID.google
        federatedID = isGoogle ? "https://accounts.google.com/\(rawID)" : rawID
        firstName = isGoogle ? claims["given_name"]?.string : nil
        lastName = isGoogle ? claims["family_name"]?.string : nil
        if isGoogle {
            raw = Self.googleInfo(claims, email: email, emailVerified: emailVerified)
        } else if provider.hasPrefix(ProviderConfig.saml.prefix) {
            if let name = saml?.nameID, Formats.isEmail(name) { email = name }
            emailVerified = true
            raw = saml?.attributes?.text()
        } else {
            raw = JSON.object(claims).text()
        }
    }

    /// Reads Apple's Boolean values, which are texts; Firebase's emulator reads them literally, so that `"false"` is
    /// true.
    private static func isTrue(_ value: JSON?, isLenient: Bool) -> Bool {
        switch value {
        case .bool(let value): value
        case .string(let text): isLenient ? !text.isEmpty : text == "true"
        case .int(let number): number != 0
        case .object, .array: isLenient
        default: false
        }
    }

    private static func googleInfo(_ claims: JSONObject, email: String?, emailVerified: Bool) -> String {
        let profile = "openid https://www.googleapis.com/auth/userinfo.profile"
        let info = JSONObject(given: [
            "granted_scopes": email == nil ? profile : profile + " https://www.googleapis.com/auth/userinfo.email",
            "id": claims["sub"] ?? .null, "name": claims["name"], "given_name": claims["given_name"],
            "family_name": claims["family_name"], "verified_email": emailVerified, "locale": "en", "email": email,
            "picture": claims["picture"],
        ])
        return JSON.object(info).text()
    }

    /// The entry of `providerUserInfo`.
    var identity: Identity {
        Identity(
            providerID: provider, rawID: rawID, federatedID: rawID, email: email, displayName: displayName, photoURL: photoURL,
            screenName: screenName)
    }

    /// The provider's part of the response.
    var json: JSONObject {
        JSONObject(given: [
            "kind": "identitytoolkit#VerifyAssertionResponse", "context": "", "providerId": provider, "federatedId": federatedID,
            "displayName": displayName, "fullName": displayName, "screenName": screenName, "firstName": firstName,
            "lastName": lastName, "email": email, "emailVerified": emailVerified, "photoUrl": photoURL, "rawUserInfo": raw,
        ])
    }
}
