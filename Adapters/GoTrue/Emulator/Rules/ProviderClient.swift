internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// Asks identity providers: for tokens, profiles and keys.
struct ProviderClient {
    let context: RequestContext

    /// Fetches a JSON document; `nil` where there is none.
    private func fetch(_ address: String, headers: [String: String] = [:]) throws -> JSONObject? {
        var headers = headers
        headers["Accept"] = "application/json"
        return try Self.object(context.result(of: OutgoingRequest("GET", address, headers: headers)))
    }

    private func post(_ address: String, form: [(name: String, value: String)], user: String, password: String) throws
        -> JSONObject?
    {
        let body = Array(GoForm(form).text.utf8)
        let headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
            "Authorization": "Basic " + Base64.encode(Array("\(user):\(password)".utf8)),
        ]
        return try Self.object(context.result(of: OutgoingRequest("POST", address, headers: headers, body: body)))
    }

    private static func object(_ result: Result<OutgoingResponse, OutgoingError>) -> JSONObject? {
        guard case .success(let response) = result, response.status == 200 else { return nil }
        return (try? GoJSON.parse(response.body))?.object
    }

    /// Exchanges a code, and loads the person's profile.
    func person(ofCode code: String, at name: String) throws -> (ProviderClaims, (access: String, refresh: String?)) {
        let provider = try ProviderRedirect.provider(name, context.settings)
        // Only an issuer on this machine is asked: of the others the answer is that they cannot be reached.
        guard provider.hasLocalIssuer else { throw GoTrueError.failure("Unable to exchange external code: \(code)") }
        let endpoints = ProviderEndpoints(provider)
        let form = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", provider.redirectURL ?? context.state.base + "/callback"),
        ]
        let response = try post(
            endpoints.token, form: form.map { (name: $0.0, value: $0.1) }, user: provider.clients.first ?? "",
            password: provider.secret?.reveal() ?? "")
        guard let response, let access = response["access_token"]?.string, !access.isEmpty else {
            throw GoTrueError.failure("Unable to exchange external code: \(code)")
        }
        guard let info = try fetch(endpoints.userInfo, headers: ["Authorization": "Bearer \(access)"]) else {
            throw GoTrueError.failure("Error getting user profile from external provider")
        }
        let person = ProviderClaims(userInfo: info, issuer: provider.issuer ?? "")
        guard person.email != nil || provider.allowsNoEmail else {
            throw GoTrueError.failure("Error getting user email from external provider")
        }
        return (person, (access, response["refresh_token"]?.string))
    }

    /// The person of an ID token that its provider has signed.
    func person(ofIDToken token: String, _ source: IDTokenSource, accessToken: String, nonce: String) throws -> ProviderClaims {
        guard let claims = try claims(ofIDToken: token, issuer: source.issuer) else { throw IDTokenSource.badToken }
        try source.check(claims, accessToken: accessToken, nonce: nonce)
        return ProviderClaims(idToken: claims, provider: source.provider)
    }

    /// The claims of a valid ID token with its issuer's signature.
    private func claims(ofIDToken token: String, issuer: String) throws -> JSONObject? {
        guard let unverified = try? UnverifiedToken(token), unverified.claims["iss"]?.string == issuer else { return nil }
        guard let keys = try keys(of: issuer) else { return nil }
        guard let verified = try? TokenVerifier.verifySignature(of: token, keys: keys) else { return nil }
        let time = Double(context.now.milliseconds) / 1000
        guard let expiry = verified.claims["exp"]?.double, time < expiry else { return nil }
        if let start = verified.claims["nbf"]?.double, time + 300 < start { return nil }
        return verified.claims
    }

    private func keys(of issuer: String) throws -> [VerificationKey]? {
        if let known = context.state.issuerKeys.keys(of: issuer, at: context.now) { return known }
        let place = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        guard let document = try fetch(place + "/.well-known/openid-configuration"),
            let address = document["jwks_uri"]?.string, let set = try fetch(address),
            let keys = try? JSONWebKeySet(JSON.object(set)).verificationKeys
        else { return nil }
        context.state.issuerKeys.keep(keys, of: issuer, at: context.now)
        return keys
    }
}

/// The keys of issuers, kept for an hour.
final class IssuerKeys: Sendable {
    private struct Entry: Sendable {
        var keys: [VerificationKey]
        var end: Instant
    }

    private let entries = Mutex<[String: Entry]>([:])

    func keys(of issuer: String, at now: Instant) -> [VerificationKey]? {
        entries.withLock { entries in
            guard let entry = entries[issuer], now < entry.end else { return nil }
            return entry.keys
        }
    }

    func keep(_ keys: [VerificationKey], of issuer: String, at now: Instant) {
        entries.withLock { entries in
            if entries.count > 100 { entries = [:] }
            entries[issuer] = Entry(keys: keys, end: now + .seconds(3600))
        }
    }

    func reset() { entries.withLock { $0 = [:] } }
}
