internal import LockstepEmulation
public import LockstepPrimitives

/// Enterprise connections of an instance.
public struct EnterpriseRules: Sendable, Hashable {
    /// Those that an instance begins with; more are made over the Backend API.
    public var connections: [EnterpriseConnection] = []
    /// Whether members of organizations may manage their connections (`self_serve_sso`).
    public var isSelfServed = false

    /// None.
    public init() {}
}

/// A company's identity provider, which speaks OpenID Connect.
public struct EnterpriseConnection: Sendable, Hashable {
    /// The name for people; each connection has its own.
    public var name: String
    /// The domains of the addresses whose users sign in there.
    public var domains: [String]
    /// Its OpenID configuration, a plain `http://` address on this machine: nothing else is asked.
    public var discoveryURL: String
    /// The instance's name at the provider.
    public var clientID: String
    /// Its secret; a client without one proves itself by PKCE.
    public var clientSecret: Secret?

    /// A connection with a provider whose OpenID configuration is at its usual place below `issuer`.
    public init(name: String, domains: [String], issuer: String, clientID: String, clientSecret: Secret? = nil) {
        self.name = name
        self.domains = domains.map { $0.lowercased() }
        discoveryURL = OpenIDConfiguration.address(of: issuer)
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}

/// `ENTERPRISE_CONNECTIONS=acme`, and for each `ENTERPRISE_ACME_DOMAINS`, `…_ISSUER`, `…_CLIENT`, `…_SECRET`.
enum EnterpriseSetting {
    static let takes =
        "names in ENTERPRISE_CONNECTIONS, which comes first; domains; an issuer's http:// address on this machine; texts"

    /// Puts the value into the settings.
    ///
    /// - Returns: `nil` where the name is none of these, `false` where the value cannot be used.
    static func apply(_ settings: inout ClerkSettings, _ name: String, _ value: String) -> Bool? {
        guard name.hasPrefix("ENTERPRISE_"), name != "ENTERPRISE_SELF_SERVE" else { return nil }
        if name == "ENTERPRISE_CONNECTIONS" {
            let names = value == "none" ? [] : value.pieces(at: ",").map { String($0).trimmed.lowercased() }
            guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isLetterOrDigit) }) else { return false }
            settings.enterprise.connections = names.map { name in
                settings.enterprise.connections.first { $0.name == name }
                    ?? EnterpriseConnection(name: name, domains: [], issuer: "", clientID: "lockstep")
            }
            return true
        }
        let parts = name.dropFirst("ENTERPRISE_".count).pieces(at: "_")
        guard parts.count == 2 else { return nil }
        guard !value.isEmpty, let index = settings.enterprise.connections.firstIndex(where: { $0.name == parts[0].lowercased() })
        else { return false }
        let former = settings.enterprise.connections[index]
        switch parts[1] {
        case "DOMAINS":
            let domains = value.pieces(at: ",").map { String($0).trimmed.lowercased() }
            guard domains.allSatisfy({ EmailAddress("a@" + $0) != nil }) else { return false }
            settings.enterprise.connections[index].domains = domains
        case "ISSUER":
            guard LoopbackClient.reaches(value) else { return false }
            settings.enterprise.connections[index] = EnterpriseConnection(
                name: former.name, domains: former.domains, issuer: value, clientID: former.clientID,
                clientSecret: former.clientSecret)
        case "CLIENT": settings.enterprise.connections[index].clientID = value
        case "SECRET": settings.enterprise.connections[index].clientSecret = Secret(value)
        default: return nil
        }
        return true
    }
}
