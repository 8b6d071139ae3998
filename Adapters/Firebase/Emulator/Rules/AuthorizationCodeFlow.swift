internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The project's OpenID Connect client for the authorization code flow of an identity provider.
public struct ProviderClient: Sendable {
    /// The URL of the page on which a person signs in.
    public var authorization: String
    /// The URL of the token endpoint, which must be on this machine.
    public var token: String
    /// The client's id.
    public var id: String
    /// The client's secret.
    public var secret: String

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - authorization: The URL of the page on which a person signs in.
    ///   - token: The URL of the token endpoint, which must be on this machine.
    ///   - id: The client's id.
    ///   - secret: The client's secret.
    public init(authorization: String, token: String, id: String, secret: String) {
        self.authorization = authorization
        self.token = token
        self.id = id
        self.secret = secret
    }
}

/// The authorization code flow of OpenID Connect, which `createAuthUri` begins and `signInWithIdp` ends.
///
/// The values for the second call are in `state`, signed by the project, so the server stores nothing in between. In
/// production, `state` is opaque as well. The session, which only the caller knows, is bound twice: its digest is in
/// `state`, and is the nonce of the provider's token.
struct AuthorizationCodeFlow {
    let context: RequestContext

    /// Type of the state token.
    private static let type = "round trip"

    /// The lifetime of a state, in seconds.
    private static let lifetime: Int64 = 3600

    /// The issuer of states; no other token of the project has it, because developers' claims cannot set `iss`.
    private var issuer: String { "https://\(context.scope.project).firebaseapp.com/__/auth/handler" }

    /// The parameters that a caller may not set (specification: `customParameter`).
    private static let reserved: Set<String> = ["client_id", "response_type", "scope", "redirect_uri", "state", "nonce"]

    private func digest(_ session: String) -> String { Hex.encode(HashFunction.sha256.digest(session)) }

    /// Returns the project's client at a provider that users can sign in with.
    private func client(at provider: String) throws -> ProviderClient {
        try context.trustedIssuers.requireMethod()
        try context.trustedIssuers.requireKnown(provider)
        return try context.require(
            try context.trustedIssuers.client(at: provider), .operationNotAllowed,
            "The project has no client for the code flow at the identity provider.")
    }

    // MARK: The beginning

    /// Returns the response of `createAuthUri` for a provider.
    func begin(_ provider: String) throws -> JSON {
        guard context.isStrict else { throw APIError.notImplemented("Sign-in with IDP is not yet supported.") }
        let provider = provider.lowercased()
        let client = try client(at: provider)
        let back = try continueURI()
        let session = context.body.given("sessionId") ?? context.newID(27)
        guard var page = WebAddress(client.authorization) else { throw APIError.inside("The provider's page has no address.") }
        for (name, value) in context.body.nested("customParameter")?.members ?? [:] where !Self.reserved.contains(name) {
            page.set(name, to: value.string ?? "")
        }
        let scopes = ["openid", "email"] + (context.body.given("oauthScope")?.pieces(at: " ").map(String.init) ?? [])
        page.set("client_id", to: client.id)
        page.set("redirect_uri", to: back)
        page.set("response_type", to: "code")
        page.set("scope", to: scopes.joined(separator: " "))
        page.set("nonce", to: digest(session))
        // Apple returns the name and the address only in this mode (Sign in with Apple, "Request an authorization").
        if provider == ProviderID.apple { page.set("response_mode", to: "form_post") }
        page.set(
            "state",
            to: try context.tokens.sign([
                "iss": .string(issuer), "aud": .string(context.scope.project), "iat": .int(context.now.seconds),
                "exp": .int(context.now.seconds + Self.lifetime), "type": .string(Self.type), "provider": .string(provider),
                "session": .string(digest(session)), "continue": .string(back), "tenant": .string(context.scope.tenant ?? ""),
            ]))
        return [
            "kind": "identitytoolkit#CreateAuthUriResponse", "authUri": .string(page.text), "providerId": .string(provider),
            "sessionId": .string(session),
        ]
    }

    /// Returns the URL to which the provider redirects: a page of a domain that the project authorizes.
    private func continueURI() throws(APIError) -> String {
        let text = try context.require(context.body.given("continueUri"), .missingContinueURI)
        let address = try context.require(WebAddress(text), .invalidContinueURI)
        try context.require(
            ["http", "https"].contains(address.scheme) && address.fragment == nil && address.value("state") == nil,
            .invalidContinueURI)
        try context.rules.requireAuthorized(address)
        return text
    }

    // MARK: The end

    /// Returns the provider's assertion about the person if `requestUri` is the callback of a redirect; `nil` if the
    /// client sends a token.
    func assertion() throws -> Assertion? {
        guard context.isStrict, var address = context.body.given("requestUri").flatMap({ WebAddress($0) }) else {
            return nil
        }
        // Some providers post their response to the page.
        for (name, value) in Percent.decodeForm(context.body.text("postBody") ?? "") ?? [] { address.set(name, to: value) }
        guard let state = address.value("state"), address.value("providerId") == nil else {
            // A client that ends a redirect sends no token itself. Otherwise it could be given the token of another
            // person.
            try context.require(
                context.body.given("sessionId") == nil, .invalidResponse,
                "The callback is none of a round trip that has a session.")
            return nil
        }
        let (provider, session, back) = try begun(state, address)
        if let error = address.value("error") { throw noCode(provider, error) }
        guard let code = address.value("code"), !code.isEmpty else { throw noCode(provider, "no code") }
        let (idToken, accessToken) = try exchange(code, provider, back)
        return Assertion(provider: provider, idToken: idToken, accessToken: accessToken, nonce: session)
    }

    /// Returns the provider and the session of a state.
    ///
    /// This project must have signed it within the last hour, for this callback and this caller.
    private func begun(_ state: String, _ address: WebAddress) throws -> (provider: String, session: String, back: String) {
        let key = try context.value(of: context.state.signingKey).verificationKey
        let rules = TokenRules(issuers: [issuer], audiences: [context.scope.project])
        let claims = (try? TokenVerifier(keys: [key], rules: rules).verify(state, at: context.now))?.claims ?? [:]
        guard claims["type"]?.string == Self.type, claims["tenant"]?.string == context.scope.tenant ?? "",
            let provider = claims["provider"]?.string,
            let back = claims["continue"]?.string, WebAddress(back)?.base == address.base
        else { throw APIError.refused(.invalidResponse, "The state is not this project's, or older than an hour.") }
        guard let session = context.body.given("sessionId"), claims["session"]?.string == digest(session) else {
            throw APIError.refused(.invalidResponse, "The session ID does not match the one of the authorization request.")
        }
        return (provider, session, back)
    }

    /// Exchanges a code for the provider's tokens; this works once.
    private func exchange(_ code: String, _ provider: String, _ back: String) throws -> (id: String, access: String?) {
        let client = try client(at: provider)
        let answer = try OpenIDClient(context).tokens(
            for: code, at: client.token, as: .form(id: client.id, secret: Secret(client.secret)), redirect: back)
        if case .failure(.unreachable(let error)) = answer {
            throw noCode(provider, "the code was not exchanged at \(client.token): \(error)")
        }
        guard case .success(let tokens) = answer, let token = tokens.id else {
            throw noCode(provider, "the code was not exchanged")
        }
        return (token, tokens.access)
    }

    private func noCode(_ provider: String, _ why: String) -> APIError {
        .refused(.invalidResponse, "Error getting verification code from \(provider) response: \(why)")
    }
}
