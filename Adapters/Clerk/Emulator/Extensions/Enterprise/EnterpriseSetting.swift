internal import LockstepEmulation
public import LockstepPrimitives

/// The enterprise connections of an instance.
public struct EnterpriseRules: Sendable, Hashable {
    /// The enterprise connections at the start; the Backend API can create more.
    public var connections: [EnterpriseConnection] = []
    /// Whether members of an organization may manage its connections (`self_serve_sso`).
    public var isSelfServed = false

    /// Creates rules without enterprise connections.
    public init() {}
}

/// A company's identity provider, which supports OpenID Connect.
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.enterprise.connections = [
///     EnterpriseConnection(name: "Example", domains: ["example.com"], issuer: "http://127.0.0.1:8080", clientID: "orders")
/// ]
/// ```
public struct EnterpriseConnection: Sendable, Hashable {
    /// The display name of the connection, which must be unique.
    public var name: String
    /// The email domains of the users who sign in with this identity provider.
    public var domains: [String]
    /// The URL of the provider's OpenID configuration.
    ///
    /// The URL must use plain `http://` and be on this machine. The emulator requests no other URL.
    public var discoveryURL: String
    /// The client id that the provider has given to the instance.
    public var clientID: String
    /// The client secret; `nil` if the client uses PKCE.
    public var clientSecret: Secret?

    /// Creates a connection to an identity provider.
    ///
    /// The OpenID configuration of the provider must be at the usual path: `issuer`, then
    /// `/.well-known/openid-configuration`.
    ///
    /// - Parameters:
    ///   - name: The display name of the connection.
    ///   - domains: The email domains of the users who sign in with this identity provider.
    ///   - clientID: The client id that the provider has given to the instance.
    ///   - clientSecret: The client secret. Default: the client uses PKCE.
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
    static let section = SettingTable<ClerkSettings>.Section("Enterprise connections") {
        Setting("ENTERPRISE_SELF_SERVE", \.enterprise.isSelfServed, .flag)
        Setting("ENTERPRISE_CONNECTIONS", \.enterprise.connectionNames, .names())
    }

    /// Returns the sentence about a connection that no sign-in could use, or `nil`.
    @Sendable static func contradiction(in settings: ClerkSettings) -> String? {
        let unusable = settings.enterprise.connections.first { $0.domains.isEmpty || !$0.discoveryURL.contains(bytesOf: "://") }
        guard let connection = unusable else { return nil }
        let name = connection.name.uppercased()
        return "The enterprise connection \(connection.name) would never be used: "
            + "set ENTERPRISE_\(name)_DOMAINS and _ISSUER values."
    }

    /// Finds the setting of one connection with that name.
    @Sendable static func find(_ name: String) -> Setting<ClerkSettings>? {
        let parts = name.pieces(at: "_")
        guard parts.count == 3, parts[0] == "ENTERPRISE" else { return nil }
        let connection = parts[1].lowercased()
        switch parts[2] {
        case "DOMAINS": return .part(name, of: \.enterprise.connections, { $0.name == connection }, \.domains, .domains)
        case "ISSUER":
            return .part(
                name, of: \.enterprise.connections, { $0.name == connection }, \.issuer,
                SettingKind.text.when("an issuer's http:// address on this machine", LoopbackClient.reaches))
        case "CLIENT": return .part(name, of: \.enterprise.connections, { $0.name == connection }, \.clientID, .text)
        case "SECRET":
            return .part(
                name, of: \.enterprise.connections, { $0.name == connection }, \.clientSecret, .optional(.secret))
        default: return nil
        }
    }
}

extension EnterpriseRules {
    fileprivate var connectionNames: [String] {
        get { connections.map(\.name) }
        set {
            connections = newValue.map { name in
                connections.first { $0.name == name }
                    ?? EnterpriseConnection(name: name, domains: [], issuer: "", clientID: "lockstep")
            }
        }
    }
}

extension EnterpriseConnection {
    /// The issuer whose OpenID configuration is at the usual path.
    fileprivate var issuer: String {
        get { String(discoveryURL.dropLast(OpenIDConfiguration.address(of: "").count)) }
        set { discoveryURL = OpenIDConfiguration.address(of: newValue) }
    }
}

extension SettingKind<[String]> {
    fileprivate static var domains: SettingKind {
        list().adjusted("domains, separated by commas") { domains in
            let domains = domains.map { $0.lowercased() }
            return !domains.isEmpty && domains.allSatisfy { EmailAddress("a@" + $0) != nil } ? domains : nil
        }
    }
}
