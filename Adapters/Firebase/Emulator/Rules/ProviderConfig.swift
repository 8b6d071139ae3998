internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The configurations of identity providers that administrators write with requests: one kind for each of Google's
/// three collections.
enum ProviderConfig: String, CaseIterable, ColumnValue {
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

    /// The beginning of the ids of this kind.
    var prefix: String {
        switch self {
        case .standard: ""
        case .openID: "oidc."
        case .saml: "saml."
        }
    }

    /// Returns whether a configuration of this kind may have this id.
    ///
    /// The id has no capital letters, because the `providerId` of a sign-in is read in lower case.
    func accepts(_ id: String) -> Bool {
        if self == .standard { return Self.known[id] != nil }
        let rest = id.dropFirst(prefix.count)
        return id.hasPrefix(prefix) && !rest.isEmpty
            && rest.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "-_.".contains($0)) }
    }

    /// Rejects a configuration that no sign-in could use.
    func check(_ config: JSONObject, of id: String) throws(APIError) {
        func given(_ value: JSON?) -> Bool { value?.string?.isEmpty == false }
        func isAddress(_ value: JSON?) -> Bool { ["http", "https"].contains(value?.string.flatMap { WebAddress($0) }?.scheme) }
        switch self {
        case .standard:
            // Game Center has no clients, and Apple's native apps are identified by their bundle ids.
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
        try context.db.find(ProviderConfigRow.self, "\(own(kind)) AND id = \(id)")?.config
    }

    /// Returns the configurations after an id, in the order of their ids.
    func list(_ kind: ProviderConfig, after id: String, limit: Int) throws -> [ProviderConfigRow] {
        try context.db.all(ProviderConfigRow.self, "\(own(kind)) AND id > \(id) ORDER BY id LIMIT \(limit)")
    }

    func set(_ config: JSONObject, of id: String, _ kind: ProviderConfig) throws {
        try context.db.save(ProviderConfigRow(space: context.scope.id, kind: kind, id: id, config: config))
    }

    func remove(_ id: String, _ kind: ProviderConfig) throws {
        try context.db.delete(ProviderConfigRow.self, "\(own(kind)) AND id = \(id)")
    }

    private func own(_ kind: ProviderConfig) -> SQL { "space = \(context.scope.id) AND kind = \(kind.rawValue)" }
}
