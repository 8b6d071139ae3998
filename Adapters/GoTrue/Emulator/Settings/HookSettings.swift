internal import LockstepEmulation
public import LockstepPrimitives

/// The hooks that the server calls over plain HTTP.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.hooks.customAccessToken = HookSettings.Hook(address: "http://127.0.0.1:8080/claims")
/// ```
public struct HookSettings: Sendable, Hashable {
    /// A hook: a URL that the server calls.
    public struct Hook: Sendable, Hashable {
        /// The URL of the hook (`…_URI`), which must use plain HTTP.
        public var address: String
        /// The secrets that sign the requests to the hook (`…_SECRETS`, Standard Webhooks).
        public var secrets: [Secret]
        /// Whether the server calls the hook (`…_ENABLED`).
        var isEnabled = true

        /// The hook; `nil` if the server does not call it.
        var called: Hook? { isEnabled ? self : nil }

        /// Creates a hook.
        ///
        /// - Parameters:
        ///   - address: The URL of the hook, which must use plain HTTP.
        ///   - secrets: The secrets that sign the requests to the hook. Default: none.
        public init(address: String, secrets: [Secret] = []) {
            self.address = address
            self.secrets = secrets
        }

        fileprivate init(address: String, isEnabled: Bool) {
            self.init(address: address)
            self.isEnabled = isEnabled
        }
    }

    /// The hook that sends SMS instead of the server (`GOTRUE_HOOK_SEND_SMS_…`).
    public var sendSMS: Hook?
    /// The hook that sends emails instead of the server (`GOTRUE_HOOK_SEND_EMAIL_…`).
    public var sendEmail: Hook?
    /// The hook that changes the claims of access tokens (`GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_…`).
    public var customAccessToken: Hook?
    /// The hook that decides whether a user may be created (`GOTRUE_HOOK_BEFORE_USER_CREATED_…`).
    public var beforeUserCreated: Hook?
    /// The hook that the server calls for each check of a password (`GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_…`).
    public var passwordVerification: Hook?
    /// The hook that the server calls for each check of a second factor (`GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_…`).
    public var factorVerification: Hook?

    /// The hooks: the name in their settings, the effect of each, and its property.
    static let all: [(name: String, act: String, path: any WritableKeyPath<HookSettings, Hook?> & Sendable)] = [
        ("SEND_SMS", "sends text messages", \.sendSMS), ("SEND_EMAIL", "sends mails", \.sendEmail),
        ("CUSTOM_ACCESS_TOKEN", "changes the claims of access tokens", \.customAccessToken),
        ("BEFORE_USER_CREATED", "decides whether a user may be created", \.beforeUserCreated),
        ("PASSWORD_VERIFICATION_ATTEMPT", "receives each password attempt", \.passwordVerification),
        ("MFA_VERIFICATION_ATTEMPT", "receives each attempt at a second factor", \.factorVerification),
    ]

    /// The values of disabled hooks, by their index in ``all``.
    private var disabled: [Int: Hook] = [:]

    /// The hook at an index of ``all``; its property only contains an enabled hook.
    subscript(at index: Int) -> Hook {
        get { self[keyPath: Self.all[index].path] ?? disabled[index] ?? Hook(address: "", isEnabled: false) }
        set {
            self[keyPath: Self.all[index].path] = newValue.isEnabled ? newValue : nil
            let hasValues = !newValue.address.isEmpty || !newValue.secrets.isEmpty
            disabled[index] = !newValue.isEnabled && hasValues ? newValue : nil
        }
    }

    /// Returns a sentence for each problem of an enabled hook.
    func check() -> [String] {
        var problems: [String] = []
        for index in Self.all.indices {
            guard let hook = self[keyPath: Self.all[index].path] else { continue }
            let prefix = "GOTRUE_HOOK_\(Self.all[index].name)_"
            if !hook.secrets.allSatisfy({ $0.reveal().hasPrefix("v1,whsec_") }) {
                problems.append("\(prefix)SECRETS must be v1,whsec_ and base 64, several of them separated by |.")
            } else if !LoopbackClient.reaches(hook.address) {
                problems.append(
                    "invalid value \"\(hook.address)\" for \(prefix)URI: use an http:// address of 127.0.0.1 or localhost.")
            }
        }
        return problems
    }
}
