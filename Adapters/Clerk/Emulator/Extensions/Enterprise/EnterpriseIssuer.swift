internal import LockstepCrypto
internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepTokens

/// Asks a connection's identity provider, over OpenID Connect: for its addresses, for tokens, for the user.
///
/// Providers on this machine only: nothing else is connected to.
struct EnterpriseIssuer {
    let context: RequestContext
    let connection: EnterpriseConnectionRecord

    /// Where a provider is asked.
    private struct Endpoints {
        var authorization: String
        var token: String
        var userInfo: String?
        /// The issuer of ID tokens and its keys: known by discovery only.
        var issuer: (name: String, keys: String)?
    }

    /// What a provider has said of a user.
    struct Answer {
        var profile: ProviderProfile
        var accessToken: String
        var idToken: String?
        var userInfo: JSONObject?
    }

    /// The address of the provider's page, and what the way back must match.
    func begin(state: String, hint: String?, prompt: String?) throws -> (url: String, memory: JSONObject) {
        let nonce = context.token()
        var memory: JSONObject = ["connection": .string(connection.id), "nonce": .string(nonce)]
        var query = [
            ("client_id", connection.clientID ?? ""), ("response_type", "code"), ("scope", "openid email profile"),
            ("state", state), ("nonce", nonce), ("redirect_uri", ProviderRedirects.callback(context)),
        ]
        // Without discovery there is no ID token whose nonce ties the code to this flow: the proof key does.
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

    /// Exchanges a code, and reads whom the provider means by it.
    ///
    /// - Parameters:
    ///   - code: The code that the browser has brought.
    ///   - issuer: The issuer that the browser has named beside it (`iss`, RFC 9207); `nil` if it has named none.
    ///   - memory: What ``begin(state:hint:prompt:)`` has said to keep.
    /// - Throws: a refusal for an exchange that fails, an ID token that is not right in every respect, and a user without an
    ///   address of the connection's domains.
    func answer(to code: String, of issuer: String?, _ memory: JSONObject) throws -> Answer {
        let endpoints = try endpoints()
        // A code of another provider must not be sent to this one: it could use the code up in the person's name.
        if let issuer, let own = endpoints.issuer?.name, issuer != own { throw ClerkError.tokenExchange }
        var form = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", ProviderRedirects.callback(context))]
        if let verifier = memory["verifier"]?.string { form.append(("code_verifier", verifier)) }
        var headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        let client = connection.clientID ?? ""
        if let secret = connection.clientSecret {
            // Both are form-encoded first (RFC 6749, section 2.3.1).
            let pair = [client, secret.reveal()].map { Percent.encode($0).replacing("%20", with: "+") }
            headers["Authorization"] = "Basic " + Base64.encode(Array("\(pair[0]):\(pair[1])".utf8))
        } else {
            form.append(("client_id", client))
        }
        let body = Percent.encodeForm(form.map { (name: $0.0, value: $0.1) })
        guard
            let tokens = try object(OutgoingRequest("POST", endpoints.token, headers: headers, body: Array(body.utf8))).get(),
            let access = tokens["access_token"]?.string, !access.isEmpty
        else { throw ClerkError.tokenExchange }
        var claims = JSONObject()
        let idToken = tokens["id_token"]?.string
        if let issuer = endpoints.issuer {
            guard let idToken else { throw ClerkError.tokenExchange }
            claims = try verified(idToken, issuer.name, keys: issuer.keys, nonce: memory["nonce"]?.string ?? "")
        }
        var userInfo: JSONObject?
        if let address = endpoints.userInfo {
            let request = OutgoingRequest(
                "GET", address, headers: ["Authorization": "Bearer \(access)", "Accept": "application/json"])
            guard let info = try object(request).get(), info["sub"] == claims["sub"] || claims.isEmpty else {
                throw ClerkError.fetchUser
            }
            userInfo = info
            for (name, value) in info { claims[name] = value }
        }
        return Answer(profile: try profile(claims), accessToken: access, idToken: idToken, userInfo: userInfo)
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
        guard let set = try object(OutgoingRequest("GET", address)).get() else { throw ClerkError.tokenExchange }
        do {
            let rules = TokenRules(
                issuers: [issuer], audiences: .oneOf([connection.clientID ?? ""]), leeway: .seconds(60), requiredClaims: ["sub"])
            let keys = try JSONWebKeySet(.object(set)).verificationKeys
            let claims = try TokenVerifier(keys: keys, rules: rules).verify(token, at: context.now).claims
            guard claims["nonce"]?.string == nonce else { throw ClerkError.tokenExchange }
            return claims
        } catch is TokenError {
            throw ClerkError.tokenExchange
        }
    }

    private func endpoints() throws -> Endpoints {
        guard let address = connection.discoveryURL else {
            guard let authorization = connection.authorizationURL, let token = connection.tokenURL else {
                throw ClerkError.misconfiguredProvider("The connection has neither a discovery_url nor auth_url and token_url.")
            }
            return Endpoints(authorization: authorization, token: token, userInfo: connection.userInfoURL)
        }
        let document: JSONObject
        switch try object(OutgoingRequest("GET", address, headers: ["Accept": "application/json"])) {
        case .success(let found?): document = found
        case .success(nil): throw ClerkError.misconfiguredProvider("\(address) answers with no OpenID configuration.")
        case .failure(let error): throw ClerkError.misconfiguredProvider("\(address): \(error).")
        }
        guard let issuer = document["issuer"]?.string, let keys = document["jwks_uri"]?.string,
            let authorization = document["authorization_endpoint"]?.string, let token = document["token_endpoint"]?.string
        else { throw ClerkError.misconfiguredProvider("\(address) answers with no OpenID configuration.") }
        // OpenID Connect Discovery, section 4.3: a document that names another issuer is another's.
        let place = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        guard address == place + "/.well-known/openid-configuration" else { throw ClerkError.issuerMismatch(address, issuer) }
        return Endpoints(
            authorization: connection.authorizationURL ?? authorization, token: connection.tokenURL ?? token,
            userInfo: connection.userInfoURL ?? document["userinfo_endpoint"]?.string, issuer: (issuer, keys))
    }

    /// The JSON object of a 200; `nil` for any other answer.
    private func object(_ request: OutgoingRequest) throws -> Result<JSONObject?, OutgoingError> {
        try context.result(of: request).map { response in
            response.status == 200 ? (try? JSON.parse(response.body))?.object : nil
        }
    }
}
