internal import LockstepCrypto
internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTokens

/// The requests to a connection's identity provider over OpenID Connect: for its endpoints, for tokens, and for the
/// user.
///
/// The emulator calls only providers on this machine.
struct EnterpriseIssuer {
    let context: RequestContext
    let connection: EnterpriseConnectionRecord

    private var client: OpenIDClient<ServerState> { OpenIDClient(context) }

    /// The endpoints of a provider.
    private struct Endpoints {
        var authorization: String
        var token: String
        var userInfo: String?
        /// The issuer of ID tokens and its keys; only discovery returns them.
        var issuer: (name: String, keys: String)?
    }

    /// The provider's response about a user.
    struct Answer {
        var profile: ProviderProfile
        var accessToken: String
        var idToken: String?
        var userInfo: JSONObject?
    }

    /// Returns the URL of the provider's page, and the values that the redirect back must match.
    func begin(state: String, hint: String?, prompt: String?) throws -> (url: String, memory: JSONObject) {
        let nonce = context.token()
        var memory: JSONObject = ["connection": .string(connection.id), "nonce": .string(nonce)]
        var query = [
            ("client_id", connection.clientID ?? ""), ("response_type", "code"), ("scope", "openid email profile"),
            ("state", state), ("nonce", nonce), ("redirect_uri", ProviderRedirects.callback(context)),
        ]
        // Without discovery, there is no ID token with a nonce that binds the code to this flow; the proof key binds it
        // instead.
        if connection.requiresProofKey || connection.discoveryURL == nil {
            let verifier = context.token() + context.token()
            memory["verifier"] = .string(verifier)
            query.append(("code_challenge", Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)))
            query.append(("code_challenge_method", "S256"))
        }
        if let hint { query.append(("login_hint", hint)) }
        if let prompt { query.append(("prompt", prompt)) }
        return (Redirects.adding(query, to: try endpoints().authorization), memory)
    }

    /// Exchanges a code for tokens, and reads the user from them.
    ///
    /// - Parameters:
    ///   - code: The code that the browser has sent.
    ///   - issuer: The issuer that the browser has sent with it (`iss`, RFC 9207); `nil` if it has sent none.
    ///   - memory: The values that ``begin(state:hint:prompt:)`` has returned.
    /// - Returns: The provider's response.
    /// - Throws: An error if the exchange fails, if the ID token is invalid, or if the user has no
    ///   address of the connection's domains.
    func answer(to code: String, of issuer: String?, _ memory: JSONObject) throws -> Answer {
        let endpoints = try endpoints()
        // A code of another provider must not be sent to this one, which could use the code in the person's name.
        if let issuer, let own = endpoints.issuer?.name, issuer != own { throw ClerkError.tokenExchange }
        let id = connection.clientID ?? ""
        let credentials =
            connection.clientSecret.map { OpenIDCredentials.basic(id: id, secret: $0) } ?? .form(id: id, secret: nil)
        let answer = try client.tokens(
            for: code, at: endpoints.token, as: credentials, redirect: ProviderRedirects.callback(context),
            verifier: memory["verifier"]?.string)
        guard let tokens = try? answer.get(), let access = tokens.access else { throw ClerkError.tokenExchange }
        var claims = JSONObject()
        if let issuer = endpoints.issuer {
            guard let idToken = tokens.id else { throw ClerkError.tokenExchange }
            claims = try verified(idToken, issuer.name, keys: issuer.keys, nonce: memory["nonce"]?.string ?? "")
        }
        var userInfo: JSONObject?
        if let address = endpoints.userInfo {
            let answer = try client.object(at: address, token: access)
            guard let info = try? answer.get(), info["sub"] == claims["sub"] || claims.isEmpty else {
                throw ClerkError.fetchUser
            }
            userInfo = info
            for (name, value) in info { claims[name] = value }
        }
        return Answer(profile: try profile(claims), accessToken: access, idToken: tokens.id, userInfo: userInfo)
    }

    private func profile(_ claims: JSONObject) throws -> ProviderProfile {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else { throw ClerkError.enterpriseAttributeMissing("sub") }
        guard let email = claims["email"]?.string.flatMap({ EmailAddress($0)?.text }) else {
            throw ClerkError.enterpriseAttributeMissing("email")
        }
        guard connection.covers(email) else {
            throw ClerkError.enterpriseDomain(EnterpriseConnections.domain(of: email), connection.domains)
        }
        let saysUnproven = claims["email_verified"] == false || claims["email_verified"] == "false"
        return ProviderProfile(
            provider: connection.provider, subject: subject, email: email, isEmailVerified: !saysUnproven,
            firstName: claims["given_name"]?.string, lastName: claims["family_name"]?.string,
            imageURL: claims["picture"]?.string, connectionID: connection.id)
    }

    private func verified(_ token: String, _ issuer: String, keys address: String, nonce: String) throws -> JSONObject {
        let rules = TokenRules(
            issuers: [issuer], audiences: .oneOf([connection.clientID ?? ""]), leeway: .seconds(60), requiredClaims: ["sub"])
        let claims = try client.claims(of: token, from: issuer, context.state.issuerKeys) { address }
        guard let claims, (try? rules.check(claims, at: context.now)) != nil, claims["nonce"]?.string == nonce else {
            throw ClerkError.tokenExchange
        }
        return claims
    }

    private func endpoints() throws -> Endpoints {
        guard let address = connection.discoveryURL else {
            guard let authorization = connection.authorizationURL, let token = connection.tokenURL else {
                throw ClerkError.misconfiguredProvider("The connection has neither a discovery_url nor auth_url and token_url.")
            }
            return Endpoints(authorization: authorization, token: token, userInfo: connection.userInfoURL)
        }
        let document: OpenIDConfiguration
        switch try client.configuration(at: address) {
        case .success(let found): document = found
        case .failure(.unusable): throw ClerkError.misconfiguredProvider("\(address) answers with no OpenID configuration.")
        case .failure(.unreachable(let error)): throw ClerkError.misconfiguredProvider("\(address): \(error).")
        }
        guard let issuer = document.issuer, let keys = document.keys, let authorization = document.authorization,
            let token = document.token
        else { throw ClerkError.misconfiguredProvider("\(address) answers with no OpenID configuration.") }
        // OpenID Connect Discovery, section 4.3: a document with another issuer belongs to that issuer.
        guard address == OpenIDConfiguration.address(of: issuer) else { throw ClerkError.issuerMismatch(address, issuer) }
        return Endpoints(
            authorization: connection.authorizationURL ?? authorization, token: connection.tokenURL ?? token,
            userInfo: connection.userInfoURL ?? document.userInfo, issuer: (issuer, keys))
    }
}
