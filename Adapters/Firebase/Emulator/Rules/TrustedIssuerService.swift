internal import LockstepEmulation
internal import LockstepPrimitives

/// The issuers whose tokens strict mode accepts: those of the settings, and those that requests have configured.
struct TrustedIssuerService {
    let context: RequestContext

    /// Returns the issuer of a provider id.
    ///
    /// If the settings contain the issuer of an OpenID Connect provider, its keys are those of the settings. Otherwise
    /// the keys are fetched.
    func issuer(of provider: String) throws -> TrustedIssuer {
        try requireBuilt(provider)
        let set = context.settings.identityProviders[provider]
        if let config = try config(of: provider, .openID) {
            let (issuer, client) = (config["issuer"]?.string ?? "", config["clientId"]?.string ?? "")
            if var set, set.issuer == issuer {
                set.audiences.append(client)
                return set
            }
            return TrustedIssuer(issuer: issuer, audiences: [client], keys: try keys(of: issuer))
        }
        let config = try config(of: provider, .standard)
        guard var known = set else { throw APIError.unknownProvider }
        known.audiences += [config?["clientId"]?.string].compactMap(\.self)
        known.audiences += (config?["appleSignInConfig"]?["bundleIds"]?.array ?? []).compactMap(\.string)
        return known
    }

    /// Returns the project's client at a provider, or `nil`.
    ///
    /// The client comes from the settings, or from an OpenID Connect configuration with the response type `code`. In
    /// that case, the issuer's OpenID configuration contains the page and the token endpoint.
    func client(at provider: String) throws -> ProviderClient? {
        if let set = context.settings.identityProviders[provider]?.client { return set }
        guard let config = try config(of: provider, .openID), config["responseType"]?["code"] == true,
            let issuer = config["issuer"]?.string, let id = config["clientId"]?.string,
            let secret = config["clientSecret"]?.string
        else { return nil }
        let document = try openIDConfiguration(of: issuer)
        guard let page = document["authorization_endpoint"]?.string, let token = document["token_endpoint"]?.string else {
            throw APIError.refused(
                .invalidResponse, "The OpenID configuration of \(issuer) lacks authorization_endpoint or token_endpoint.")
        }
        return ProviderClient(authorization: page, token: token, id: id, secret: secret)
    }

    /// Rejects a provider that is neither in the settings nor configured, and one that is configured for SAML.
    func requireKnown(_ provider: String) throws {
        try requireBuilt(provider)
        if try config(of: provider, .openID) != nil || config(of: provider, .standard) != nil { return }
        guard context.settings.identityProviders[provider] != nil else { throw APIError.unknownProvider }
    }

    /// Rejects every provider if the project has switched off sign-in with identity providers.
    func requireMethod() throws(APIError) {
        guard context.rules.methods.contains(.identityProvider) else { throw .unknownProvider }
    }

    /// Rejects a sign-in that a configuration allows and this server does not support.
    private func requireBuilt(_ provider: String) throws {
        guard try config(of: provider, .saml) == nil else {
            throw APIError.notImplemented("Sign-in by SAML is not built: this server reads no XML.")
        }
    }

    /// Returns the configuration of a provider, or `nil`; throws an error if the provider is disabled.
    private func config(of provider: String, _ kind: ProviderConfig) throws -> JSONObject? {
        guard kind.accepts(provider), let config = try context.providerConfigs.find(provider, kind) else { return nil }
        try context.require(config["enabled"] == true, .operationNotAllowed, "The identity provider configuration is disabled.")
        return config
    }

    private func keys(of issuer: String) throws -> JSON {
        guard let address = try openIDConfiguration(of: issuer)["jwks_uri"]?.string else {
            throw APIError.refused(.invalidResponse, "The OpenID configuration of \(issuer) lacks jwks_uri.")
        }
        return try fetch(address)
    }

    /// Returns the document that the issuer publishes (OpenID Connect Discovery 1.0, section 4).
    private func openIDConfiguration(of issuer: String) throws -> JSON {
        let place = (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
        let document = try fetch(place)
        guard document["issuer"]?.string == issuer else {
            throw APIError.refused(.invalidResponse, "The document at \(place) is not the OpenID configuration of \(issuer).")
        }
        return document
    }

    private func fetch(_ address: String) throws -> JSON {
        let call = OutgoingRequest("GET", address, headers: ["Accept": "application/json", "Accept-Encoding": "identity"])
        let failure: String
        switch try context.result(of: call) {
        case .success(let answer):
            if answer.status == 200, let json = try? JSON.parse(answer.body) { return json }
            failure = "its answer has the status \(answer.status) or is not JSON"
        case .failure(.notLocal):
            failure = "\(OutgoingError.notLocal); the setting identityProviders takes the keys of others"
        case .failure(let error): failure = "\(error)"
        }
        throw APIError.refused(.invalidResponse, "\(address) was not fetched: \(failure).")
    }
}
