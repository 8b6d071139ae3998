internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The configurations of identity providers that administrators write over the wire: one kind for each of Google's three collections.
enum ProviderConfig: String, CaseIterable {
    /// Providers that Google knows: `google.com`, `apple.com`.
    case standard = "defaultSupportedIdpConfigs"
    /// OpenID Connect: `oidc.…`.
    case openID = "oauthIdpConfigs"
    /// SAML: `saml.…`.
    case saml = "inboundSamlConfigs"

    /// The providers of ``standard``, with their names (https://cloud.google.com/identity-platform/docs/reference/rest/v2/defaultSupportedIdps).
    static let known = [
        "apple.com": "Apple", "facebook.com": "Facebook", "gc.apple.com": "Game Center", "github.com": "GitHub",
        "google.com": "Google", "linkedin.com": "LinkedIn", "microsoft.com": "Microsoft",
        "playgames.google.com": "Play Games", "twitter.com": "Twitter", "yahoo.com": "Yahoo",
    ]

    /// The parameter of the query that names a new configuration.
    var idParameter: String {
        switch self {
        case .standard: "idpId"
        case .openID: "oauthIdpConfigId"
        case .saml: "inboundSamlConfigId"
        }
    }

    /// The members of a configuration.
    var body: BodySchema {
        switch self {
        case .standard: .standardProvider
        case .openID: .openIDProvider
        case .saml: .samlProvider
        }
    }

    /// How the ids of this kind begin.
    var prefix: String {
        switch self {
        case .standard: ""
        case .openID: "oidc."
        case .saml: "saml."
        }
    }

    /// Whether a configuration of this kind may have this id: no capitals, because a sign-in's `providerId` is taken in lower case.
    func accepts(_ id: String) -> Bool {
        if self == .standard { return Self.known[id] != nil }
        let rest = id.dropFirst(prefix.count)
        return id.hasPrefix(prefix) && !rest.isEmpty
            && rest.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "-_.".contains($0)) }
    }

    /// Refuses a configuration that no sign-in could use.
    func check(_ config: JSONObject, of id: String) throws(APIError) {
        func given(_ value: JSON?) -> Bool { value?.string?.isEmpty == false }
        func isAddress(_ value: JSON?) -> Bool { ["http", "https"].contains(value?.string.flatMap { WebAddress($0) }?.scheme) }
        switch self {
        case .standard:
            // Game Center has no clients, and native apps of Apple's are known by their bundles.
            let hasBundles = config["appleSignInConfig"]?["bundleIds"]?.array?.isEmpty == false
            if !given(config["clientId"]), id != "gc.apple.com", !hasBundles { throw .refused(.missingClientID) }
        case .openID:
            if !given(config["clientId"]) { throw .refused(.missingClientID) }
            if !given(config["issuer"]) { throw .refused(.missingIssuer) }
            guard isAddress(config["issuer"]) else { throw .refused(.invalidConfig, "The issuer is not a URL.") }
            let type = config["responseType"]
            if type?["code"] == true, type?["idToken"] == true {
                throw .refused(.invalidConfig, "Only one response type may be true.")
            }
            if type?["code"] == true, !given(config["clientSecret"]) {
                throw .refused(.invalidConfig, "The response type code needs a client secret.")
            }
        case .saml:
            guard given(config["spConfig"]?["spEntityId"]) else { throw .refused(.missingRelyingParty) }
            let identity = config["idpConfig"]
            guard given(identity?["idpEntityId"]), isAddress(identity?["ssoUrl"]) else {
                throw .refused(.invalidConfig, "idpConfig needs idpEntityId, and ssoUrl as a URL.")
            }
            let certificates = identity?["idpCertificates"]?.array ?? []
            guard !certificates.isEmpty, certificates.allSatisfy({ given($0["x509Certificate"]) }) else {
                throw .refused(.invalidConfig, "idpConfig needs idpCertificates, each with x509Certificate.")
            }
        }
    }
}

/// Reads and writes configurations of identity providers, inside the request's transaction.
struct ProviderConfigRepository {
    let context: RequestContext

    func find(_ id: String, _ kind: ProviderConfig) throws -> JSONObject? {
        let text: String? = try context.db.value(
            "SELECT config FROM provider_configs WHERE space = \(context.scope.id) AND kind = \(kind.rawValue) AND id = \(id)")
        return text.flatMap { try? JSON.parse($0) }?.object
    }

    /// The configurations after an id, in the order of their ids.
    func list(_ kind: ProviderConfig, after id: String, limit: Int) throws -> [(id: String, config: JSONObject)] {
        try context.db.all(
            """
            SELECT id, config FROM provider_configs WHERE space = \(context.scope.id) AND kind = \(kind.rawValue) AND id > \(id)
            ORDER BY id LIMIT \(limit)
            """
        ) { row throws(SQLiteError) in
            let text: String = try row[1]
            return (id: try row[0], config: (try? JSON.parse(text))?.object ?? [:])
        }
    }

    func set(_ config: JSONObject, of id: String, _ kind: ProviderConfig) throws {
        try context.db.run(
            """
            INSERT INTO provider_configs (space, kind, id, config)
            VALUES (\(context.scope.id), \(kind.rawValue), \(id), \(JSON.object(config).text()))
            ON CONFLICT (space, kind, id) DO UPDATE SET config = excluded.config
            """)
    }

    func remove(_ id: String, _ kind: ProviderConfig) throws {
        try context.db.run(
            "DELETE FROM provider_configs WHERE space = \(context.scope.id) AND kind = \(kind.rawValue) AND id = \(id)")
    }
}

/// The issuers whose tokens strict mode takes: those of the settings, and those that are configured over the wire.
struct TrustedIssuerService {
    let context: RequestContext

    /// The issuer behind a provider id.
    ///
    /// The keys of an OpenID Connect provider are those of the settings where they name its issuer, and are fetched otherwise.
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

    /// The project's client at a provider: that of the settings, or that of an OpenID Connect configuration with the response type `code`,
    /// whose page and token endpoint the issuer's OpenID configuration names; `nil` where there is none.
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

    /// Refuses a provider that is neither in the settings nor configured, and one that is configured for SAML.
    func requireKnown(_ provider: String) throws {
        try requireBuilt(provider)
        if try config(of: provider, .openID) != nil || config(of: provider, .standard) != nil { return }
        guard context.settings.identityProviders[provider] != nil else { throw APIError.unknownProvider }
    }

    /// Refuses every provider where the project has sign-ins by identity providers switched off.
    func requireMethod() throws(APIError) {
        guard context.rules.methods.contains(.identityProvider) else { throw .unknownProvider }
    }

    /// Refuses a sign-in that a configuration allows and this server cannot do.
    private func requireBuilt(_ provider: String) throws {
        guard try config(of: provider, .saml) == nil else {
            throw APIError.notImplemented("Sign-in by SAML is not built: this server reads no XML.")
        }
    }

    /// The configuration of a provider; `nil` where there is none, refused where it is switched off.
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

    /// The document that the issuer publishes (OpenID Connect Discovery 1.0, section 4).
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
