internal import LockstepPrimitives

/// A response that doctor asks a project for.
public enum Source: String, Sendable, Hashable, CaseIterable {
    case settings, health, publishedKeys, discovery, management, users
    case project, legacyConfig, identityProviders, passwordPolicy, recaptcha, tokenKeys, administration, signInProbe, authURIProbe
    case environment, instance, domains, redirectURLs, organizationSettings, instanceKeys
    /// The header `Date` of the first response.
    case date

    /// The name for a person.
    public var title: String {
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
        case .instanceKeys: "GET /v1/jwks"
        case .date: "the header Date"
        }
    }

    /// What has to be given so that it is asked for; `nil` if it always is.
    var need: String? {
        switch self {
        case .management: "SUPABASE_ACCESS_TOKEN"
        case .users: "SUPABASE_SERVICE_ROLE_KEY"
        case .administration, .identityProviders: "FIREBASE_ACCESS_TOKEN"
        case .signInProbe, .authURIProbe: "--probe"
        case .instance, .domains, .redirectURLs, .organizationSettings, .instanceKeys: "CLERK_SECRET_KEY"
        default: nil
        }
    }
}

/// What a project has answered.
struct Facts: Sendable {
    /// The address that was asked.
    let address: String
    /// The documents of the responses.
    var documents: [Source: JSON] = [:]
    /// Why there is no document, in one sentence.
    var failures: [Source: String] = [:]

    /// The sentence for a rule whose document is not there.
    func absence(of source: Source) -> String {
        if let failure = failures[source] { return failure }
        guard let need = source.need else { return "The project did not report it." }
        return need.hasPrefix("-")
            ? "It was not requested. Add \(need)." : "The project reports it only to administrators. Set \(need)."
    }

    /// Whether the project is an emulator of this machine: then a name such as `localhost` is where it belongs.
    var isOnThisMachine: Bool {
        let host = address.dropFirst(address.hasPrefix("https://") ? 8 : 7).prefix { $0 != "/" && $0 != ":" }
        return ["localhost", "127.0.0.1"].contains(host) || host.hasPrefix("[::1]")
    }
}

/// What doctor cannot work with: the sentence for a person, and whose fault it is.
public struct DoctorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, then what to do.
    public let description: String
    /// Whether the address or a key has to be corrected; else the other side is at fault.
    public let isUsage: Bool

    /// An error with its sentence.
    ///
    /// - Parameters:
    ///   - description: What happened, then what to do.
    ///   - isUsage: Whether the address or a key has to be corrected.
    public init(_ description: String, isUsage: Bool) {
        self.description = description
        self.isUsage = isUsage
    }
}
