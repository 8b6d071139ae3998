public import LockstepPrimitives

/// Settings of identity providers: `OAUTH_PROVIDERS=apple,google`, and for each `OAUTH_APPLE_ISSUER`, `…_AUDIENCES`, `…_KEYS`.
enum ProviderSetting {
    /// Puts the value into the settings.
    ///
    /// - Returns: `nil` where the name is none of these, `false` where the value cannot be used.
    static func apply(_ settings: inout ClerkSettings, _ name: String, _ value: String) -> Bool? {
        guard name.hasPrefix("OAUTH_") else { return nil }
        if name == "OAUTH_PROVIDERS" {
            let names = value == "none" ? [] : value.pieces(at: ",").map { String($0).trimmed.lowercased() }
            guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } }) else {
                return false
            }
            settings.providers = names.map { name in
                settings.providers.first { $0.name == name } ?? IdentityProvider(name: name, issuer: usualIssuers[name] ?? "")
            }
            return true
        }
        let parts = name.dropFirst("OAUTH_".count).pieces(at: "_")
        guard parts.count >= 2, let detail = parts.last else { return nil }
        let provider = parts.dropLast().joined(separator: "_").lowercased()
        guard let index = settings.providers.firstIndex(where: { $0.name == provider }) else { return false }
        switch detail {
        case "ISSUER": settings.providers[index].issuer = value
        case "AUDIENCES": settings.providers[index].audiences = Set(value.pieces(at: ",").map { String($0).trimmed })
        case "KEYS":
            guard let keys = try? JSON.parse(value), keys["keys"]?.array != nil else { return false }
            settings.providers[index].keys = keys
        default: return nil
        }
        return true
    }

    /// The issuers of the providers' ID tokens (their OpenID configurations).
    private static let usualIssuers = ["apple": "https://appleid.apple.com", "google": "https://accounts.google.com"]
}

/// An identity provider that the instance trusts.
public struct IdentityProvider: Sendable, Hashable {
    /// The name in strategies: `apple` in `oauth_apple` and `oauth_token_apple`.
    public var name: String
    /// The name for people.
    public var title: String
    /// The issuer that its tokens must name.
    public var issuer: String
    /// The audiences that its tokens may have; empty for any.
    public var audiences: Set<String>
    /// Its public keys, a JSON Web Key Set.
    public var keys: JSON
    /// The page that a browser is sent to for sign-in; `nil` for the emulator's own page.
    public var authorizationURL: String?
    /// Whether users of this provider may sign in and up by redirect.
    public var allowsRedirect = true
    /// Whether its ID tokens are taken directly (`oauth_token_…`, `google_one_tap`).
    public var allowsTokens = true

    /// A provider with its keys.
    public init(name: String, title: String? = nil, issuer: String, audiences: Set<String> = [], keys: JSON = ["keys": []]) {
        self.name = name
        self.title = title ?? name.prefix(1).uppercased() + name.dropFirst()
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
    }
}
