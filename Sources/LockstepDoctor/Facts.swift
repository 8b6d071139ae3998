internal import LockstepPrimitives

/// A response that the doctor requests from a project.
package enum Source: String, Sendable, Hashable, CaseIterable {
    case settings, health, publishedKeys, discovery, management, users
    case project, legacyConfig, identityProviders, openIDProviders, samlProviders, passwordPolicy, recaptcha, tokenKeys,
        administration, signInProbe, authURIProbe
    case environment, instance, domains, redirectURLs, organizationSettings, communication, instanceKeys
    /// The header `Date` of the first response.
    case date
    /// No response: the provider does not return the setting.
    case nowhere

    /// The name of the response, as people read it.
    package var title: String {
        switch self {
        case .settings: "GET /settings"
        case .health: "GET /health"
        case .publishedKeys: "GET /.well-known/jwks.json"
        case .discovery: "GET /.well-known/openid-configuration"
        case .management: "the Management API"
        case .users: "GET /admin/users"
        case .project: "GET /v1/projects"
        case .legacyConfig: "GET getProjectConfig"
        case .identityProviders: "GET defaultSupportedIdpConfigs"
        case .openIDProviders: "GET oauthIdpConfigs"
        case .samlProviders: "GET inboundSamlConfigs"
        case .passwordPolicy: "GET /v2/passwordPolicy"
        case .recaptcha: "GET /v2/recaptchaConfig"
        case .tokenKeys: "Google's token keys"
        case .administration: "GET /admin/v2/projects/…/config"
        case .signInProbe: "POST accounts:signInWithPassword"
        case .authURIProbe: "POST accounts:createAuthUri"
        case .environment: "GET /v1/environment"
        case .instance: "GET /v1/instance"
        case .domains: "GET /v1/domains"
        case .redirectURLs: "GET /v1/redirect_urls"
        case .organizationSettings: "GET /v1/instance/organization_settings"
        case .communication: "GET /v1/instance/communication"
        case .instanceKeys: "GET /v1/jwks"
        case .date: "the Date header"
        case .nowhere: "no response"
        }
    }

    /// The input that is required for this request; `nil` if none is required.
    var need: String? {
        switch self {
        case .management: "SUPABASE_ACCESS_TOKEN"
        case .users: "SUPABASE_SERVICE_ROLE_KEY"
        case .administration, .identityProviders, .openIDProviders, .samlProviders:
            "GOOGLE_APPLICATION_CREDENTIALS or FIREBASE_ACCESS_TOKEN"
        case .signInProbe, .authURIProbe: "--probe"
        case .instance, .domains, .redirectURLs, .organizationSettings, .communication, .instanceKeys: "CLERK_SECRET_KEY"
        default: nil
        }
    }
}

/// The responses of a project.
struct Facts: Sendable {
    /// The address of the project.
    let address: String
    /// Whether the project is an emulator that this user has started.
    var isEmulator = false
    /// The documents of the responses.
    var documents: [Source: JSON] = [:]
    /// The reasons for missing documents, in one sentence each.
    var failures: [Source: String] = [:]

    /// The sentence for a setting of the provider that an emulator does not have.
    static let noSuchSetting = "The emulator has no such setting."

    /// Returns the sentence for a rule whose document is missing.
    func absence(of source: Source) -> String {
        if let failure = failures[source] { return failure }
        if isEmulator, source.need?.hasPrefix("-") != true { return Self.noSuchSetting }
        if source == .nowhere { return "The provider's API does not report this value. Look at the provider's dashboard." }
        guard let need = source.need else { return "The project did not report this value." }
        return need.hasPrefix("-")
            ? "This value was not requested. Add \(need)." : "The project reports this value only to administrators. Set \(need)."
    }

    /// Whether the project is an emulator on this machine.
    ///
    /// Then a name such as `localhost` is expected.
    var isOnThisMachine: Bool {
        let host = address.dropFirst(address.hasPrefix("https://") ? 8 : 7).prefix { $0 != "/" && $0 != ":" }
        return ["localhost", "127.0.0.1"].contains(host) || host.hasPrefix("[::1]")
    }
}

/// The reason why the doctor cannot check a project.
package struct DoctorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    package let description: String
    /// Whether the URL or a key must be corrected.
    ///
    /// If `false`, the server is the cause.
    package let isUsage: Bool
    /// Whether the server rejected an administrator's key.
    package let isRejectedKey: Bool

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - description: A sentence that says what is wrong and what to do.
    ///   - isUsage: Whether the URL or a key must be corrected.
    ///   - isRejectedKey: Whether the server rejected an administrator's key.
    package init(_ description: String, isUsage: Bool, isRejectedKey: Bool = false) {
        self.description = description
        self.isUsage = isUsage
        self.isRejectedKey = isRejectedKey
    }
}
