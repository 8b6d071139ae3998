internal import LockstepEmulation
public import LockstepPrimitives

/// Settings of identity providers: `OAUTH_PROVIDERS=apple,google`, and for each `OAUTH_APPLE_ISSUER`, `…_AUDIENCES`, `…_KEYS`.
enum ProviderSetting {
    static let section = SettingTable<ClerkSettings>.Section("Identity providers") {
        Setting("OAUTH_PROVIDERS", \.providerNames, .names(with: "_"))
    }

    /// Finds the setting of one provider with that name.
    static func find(_ name: String) -> Setting<ClerkSettings>? {
        let parts = name.pieces(at: "_")
        guard parts.count >= 3, parts[0] == "OAUTH", let detail = parts.last else { return nil }
        let provider = parts[1..<(parts.count - 1)].joined(separator: "_").lowercased()
        switch detail {
        case "ISSUER": return .part(name, of: \.providers, { $0.name == provider }, \.issuer, .text)
        case "AUDIENCES": return .part(name, of: \.providers, { $0.name == provider }, \.audienceList, .list())
        case "KEYS": return .part(name, of: \.providers, { $0.name == provider }, \.keys, .keySet)
        default: return nil
        }
    }

    /// The issuers of the providers' ID tokens (their OpenID configurations).
    fileprivate static let usualIssuers = ["apple": "https://appleid.apple.com", "google": "https://accounts.google.com"]
}

extension ClerkSettings {
    fileprivate var providerNames: [String] {
        get { providers.map(\.name) }
        set {
            providers = newValue.map { name in
                providers.first { $0.name == name }
                    ?? IdentityProvider(name: name, issuer: ProviderSetting.usualIssuers[name] ?? "")
            }
        }
    }
}

extension IdentityProvider {
    fileprivate var audienceList: [String] {
        get { audiences.sorted() }
        set { audiences = Set(newValue) }
    }
}

extension SettingKind<[String]> {
    /// Returns the kind for names that are part of other settings' names, or `none`.
    static func names(with separators: String = "") -> SettingKind {
        list().adjusted("none, or names of letters and digits, separated by commas") { names in
            let names = names == ["none"] ? [] : names.map { $0.lowercased() }
            return names.allSatisfy { $0.utf8.allSatisfy { $0.isLetterOrDigit || separators.utf8.contains($0) } } ? names : nil
        }
    }
}

extension SettingKind<JSON> {
    fileprivate static var keySet: SettingKind {
        SettingKind(
            "a JSON Web Key Set",
            read: { value in
                guard let keys = value.string.map({ try? JSON.parse($0) }) ?? value, keys["keys"]?.array != nil else {
                    return nil
                }
                return keys
            }, write: { $0 })
    }
}

extension Setting<ClerkSettings> {
    /// Returns a setting of one element of a list; the setting with the elements' names comes before it.
    static func part<Element: Sendable, Value: Sendable>(
        _ name: String, of list: any WritableKeyPath<ClerkSettings, [Element]> & Sendable,
        _ isMeant: @escaping @Sendable (Element) -> Bool, _ path: any WritableKeyPath<Element, Value> & Sendable,
        _ kind: SettingKind<Value>
    ) -> Setting {
        Setting(
            name, wants: kind.wants, isSecret: kind.isSecret,
            read: { settings, value in
                guard let index = settings[keyPath: list].firstIndex(where: isMeant), let value = kind.read(value) else {
                    return false
                }
                settings[keyPath: list][index][keyPath: path] = value
                return true
            }, write: { settings in settings[keyPath: list].first(where: isMeant).map { kind.write($0[keyPath: path]) } ?? .null }
        )
    }
}

/// An identity provider with which users can sign in.
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.providers = [IdentityProvider(name: "google", issuer: "https://accounts.google.com")]
/// ```
public struct IdentityProvider: Sendable, Hashable {
    /// The name of the provider in strategies, such as `apple` in `oauth_apple` and `oauth_token_apple`.
    public var name: String
    /// The display name of the provider.
    public var title: String
    /// The issuer that the provider's ID tokens must contain.
    public var issuer: String
    /// The accepted audiences of the provider's ID tokens; empty to accept any audience.
    public var audiences: Set<String>
    /// The provider's public keys, as a JSON Web Key Set.
    public var keys: JSON
    /// The URL of the page on which a user signs in; `nil` to use the emulator's own page.
    public var authorizationURL: String?
    /// Whether users can sign in and sign up with this provider by redirect.
    public var allowsRedirect = true
    /// Whether users can sign in with an ID token of this provider (`oauth_token_…`, `google_one_tap`).
    public var allowsTokens = true

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The name of the provider in strategies, such as `apple`.
    ///   - title: The display name. Default: the name with a capital letter.
    ///   - issuer: The issuer that the provider's ID tokens must contain.
    ///   - audiences: The accepted audiences of the provider's ID tokens. Default: any.
    ///   - keys: The provider's public keys, as a JSON Web Key Set. Default: none.
    public init(name: String, title: String? = nil, issuer: String, audiences: Set<String> = [], keys: JSON = ["keys": []]) {
        self.name = name
        self.title = title ?? name.prefix(1).uppercased() + name.dropFirst()
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
    }
}
