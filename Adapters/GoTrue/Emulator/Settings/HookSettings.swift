internal import LockstepEmulation
public import LockstepPrimitives

/// Hooks that the server calls over plain HTTP.
public struct HookSettings: Sendable, Hashable {
    /// One hook.
    public struct Hook: Sendable, Hashable {
        /// Its address (`…_URI`), plain HTTP only.
        public var address: String
        /// The secrets that sign its requests (`…_SECRETS`, Standard Webhooks).
        public var secrets: [Secret]
        /// Whether it is called (`…_ENABLED`).
        var isEnabled = true

        /// A hook.
        public init(address: String, secrets: [Secret] = []) {
            self.address = address
            self.secrets = secrets
        }
    }

    /// A hook's name in the names of its settings.
    enum Name: String, CaseIterable {
        case sendSMS = "SEND_SMS"
        case sendEmail = "SEND_EMAIL"
        case customAccessToken = "CUSTOM_ACCESS_TOKEN"
        case beforeUserCreated = "BEFORE_USER_CREATED"
        case passwordVerification = "PASSWORD_VERIFICATION_ATTEMPT"
        case factorVerification = "MFA_VERIFICATION_ATTEMPT"

        /// What it does.
        var act: String {
            switch self {
            case .sendSMS: "sends text messages"
            case .sendEmail: "sends mails"
            case .customAccessToken: "changes the claims of access tokens"
            case .beforeUserCreated: "decides whether a user may be created"
            case .passwordVerification: "hears of each password that is tried"
            case .factorVerification: "hears of each second factor that is tried"
            }
        }
    }

    private static let none = {
        var hook = Hook(address: "")
        hook.isEnabled = false
        return hook
    }()

    private var hooks: [Name: Hook] = [:]

    /// The settings of a hook, also of one that is not called.
    subscript(stored name: Name) -> Hook {
        get { hooks[name] ?? Self.none }
        set { hooks[name] = newValue == Self.none ? nil : newValue }
    }

    private subscript(name: Name) -> Hook? {
        get { hooks[name].flatMap { $0.isEnabled ? $0 : nil } }
        set { hooks[name] = newValue }
    }

    /// Sends text messages in the server's place (`GOTRUE_HOOK_SEND_SMS_…`).
    public var sendSMS: Hook? {
        get { self[.sendSMS] }
        set { self[.sendSMS] = newValue }
    }
    /// Sends mails in the server's place (`GOTRUE_HOOK_SEND_EMAIL_…`).
    public var sendEmail: Hook? {
        get { self[.sendEmail] }
        set { self[.sendEmail] = newValue }
    }
    /// Changes the claims of access tokens (`GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_…`).
    public var customAccessToken: Hook? {
        get { self[.customAccessToken] }
        set { self[.customAccessToken] = newValue }
    }
    /// Decides whether a user may be created (`GOTRUE_HOOK_BEFORE_USER_CREATED_…`).
    public var beforeUserCreated: Hook? {
        get { self[.beforeUserCreated] }
        set { self[.beforeUserCreated] = newValue }
    }
    /// Receives every password attempt (`GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_…`).
    public var passwordVerification: Hook? {
        get { self[.passwordVerification] }
        set { self[.passwordVerification] = newValue }
    }
    /// Receives every attempt at a second factor (`GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_…`).
    public var factorVerification: Hook? {
        get { self[.factorVerification] }
        set { self[.factorVerification] = newValue }
    }

    /// What is wrong with the hooks that are called, a sentence each.
    var problems: [String] {
        Name.allCases.compactMap { name in
            guard let hook = self[name] else { return nil }
            let prefix = "GOTRUE_HOOK_\(name.rawValue)_"
            guard hook.secrets.allSatisfy({ $0.reveal().hasPrefix("v1,whsec_") }) else {
                return "\(prefix)SECRETS must be v1,whsec_ and base 64, several of them separated by |."
            }
            guard LoopbackClient.reaches(hook.address) else {
                return "invalid value \"\(hook.address)\" for \(prefix)URI: use an http:// address of 127.0.0.1 or localhost."
            }
            return nil
        }
    }
}
