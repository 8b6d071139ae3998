internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepTokens

/// The claimed provider of an ID token, and the rules for the token.
struct IDTokenSource {
    var provider: String
    var issuer: String
    var clients: [String]
    var skipsNonce: Bool
    var allowsNoEmail: Bool

    private static let issuers = [
        "google": "https://accounts.google.com", "facebook": "https://www.facebook.com", "kakao": "https://kauth.kakao.com",
        "vercel_marketplace": "https://marketplace.vercel.com", "snapchat": "https://accounts.snapchat.com",
    ]

    init(provider asked: String, issuer askedIssuer: String, client: String, token: String, _ settings: GoTrueSettings) throws {
        let detected = (try? UnverifiedToken(token))?.claims["iss"]?.string ?? ""
        guard let (name, issuer) = try Self.choose(asked, askedIssuer, detected, settings) else {
            guard !askedIssuer.isEmpty, settings.allowedIssuers.contains(askedIssuer) else {
                if asked.hasPrefix("custom:") { throw GoTrueError.invalid("Custom provider \(GoText.quoted(asked)) not found") }
                throw GoTrueError.invalid("Custom OIDC provider \(GoText.quoted(asked)) not allowed")
            }
            provider = askedIssuer
            self.issuer = askedIssuer
            clients = client.isEmpty ? [] : [client]
            skipsNonce = false
            allowsNoEmail = false
            return
        }
        guard let known = settings.providers[name], known.isEnabled else { throw GoTrueError.providerDisabled(issuer: issuer) }
        provider = name
        self.issuer = issuer
        clients = known.clients
        skipsNonce = known.skipsNonce || name == "facebook"
        allowsNoEmail = known.allowsNoEmail
    }

    static let badToken = GoTrueError.oauth("invalid request", "Bad ID token")

    /// Checks the claims of a token with the issuer's signature.
    func check(_ claims: JSONObject, accessToken: String, nonce: String) throws(GoTrueError) {
        if !accessToken.isEmpty, let expected = claims["at_hash"]?.string, !expected.isEmpty {
            guard Base64.encode(HashFunction.sha256.digest(accessToken).prefix(16), .url) == expected else { throw Self.badToken }
        }
        guard claims["sub"]?.string?.isEmpty == false else { throw .oauth("invalid request", "Missing sub claim in id_token") }
        let audiences = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard audiences.contains(where: clients.contains) else {
            throw .oauth("invalid request", "Unacceptable audience in id_token: \(GoText.list(audiences))")
        }
        guard !skipsNonce else { return }
        let expected = claims["nonce"]?.string ?? ""
        guard nonce.isEmpty == expected.isEmpty else {
            throw .oauth("invalid request", "Passed nonce and nonce in id_token should either both exist or not.")
        }
        guard nonce.isEmpty || Hex.encode(HashFunction.sha256.digest(nonce)) == expected else {
            throw .oauth("invalid nonce", "Nonces mismatch")
        }
    }

    /// Returns the provider and its issuer; `nil` if the server does not know the provider.
    private static func choose(
        _ asked: String, _ askedIssuer: String, _ detected: String, _ settings: GoTrueSettings
    ) throws -> (String, String)? {
        let appleIssuers = ["https://appleid.apple.com", "https://account.apple.com"]
        for (name, known) in settings.providers.sorted(by: { $0.key < $1.key }) {
            // A local test issuer replaces the provider.
            guard let issuer = known.issuer, known.hasLocalIssuer || name == "keycloak" else { continue }
            if asked == name || asked.isEmpty && askedIssuer == issuer { return (name, issuer) }
        }
        if asked == "apple" || appleIssuers.contains(askedIssuer) {
            guard appleIssuers.contains(detected) else {
                throw GoTrueError.invalid("Detected ID token issuer is not an Apple ID token issuer")
            }
            return ("apple", detected)
        }
        if asked == "azure" || askedIssuer.hasPrefix("https://login.microsoftonline.com/") {
            let issuer = askedIssuer.isEmpty ? detected : askedIssuer
            guard issuer.hasPrefix("https://login.microsoftonline.com/") else {
                throw GoTrueError.invalid("Detected ID token issuer is not an Azure ID token issuer")
            }
            return ("azure", issuer)
        }
        if let issuer = issuers[asked] { return (asked, issuer) }
        if asked == "keycloak" { return ("keycloak", settings.providers["keycloak"]?.issuer ?? "") }
        return issuers.first { $0.value == askedIssuer }.map { ($0.key, $0.value) }
    }
}
