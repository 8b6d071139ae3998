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

        /// A hook.
        public init(address: String, secrets: [Secret] = []) {
            self.address = address
            self.secrets = secrets
        }
    }

    /// Sends text messages in the server's place (`GOTRUE_HOOK_SEND_SMS_…`).
    public var sendSMS: Hook?
    /// Sends mails in the server's place (`GOTRUE_HOOK_SEND_EMAIL_…`).
    public var sendEmail: Hook?
    /// Changes the claims of access tokens (`GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_…`).
    public var customAccessToken: Hook?
    /// Decides whether a user may be created (`GOTRUE_HOOK_BEFORE_USER_CREATED_…`).
    public var beforeUserCreated: Hook?

    /// Receives every password attempt (`GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_…`).
    public var passwordVerification: Hook?
    /// Receives every attempt at a second factor (`GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_…`).
    public var factorVerification: Hook?

    mutating func read(_ environment: inout EnvironmentReader) {
        sendSMS = Self.hook("SEND_SMS", &environment)
        sendEmail = Self.hook("SEND_EMAIL", &environment)
        customAccessToken = Self.hook("CUSTOM_ACCESS_TOKEN", &environment)
        beforeUserCreated = Self.hook("BEFORE_USER_CREATED", &environment)
        passwordVerification = Self.hook("PASSWORD_VERIFICATION_ATTEMPT", &environment)
        factorVerification = Self.hook("MFA_VERIFICATION_ATTEMPT", &environment)
    }

    private static func hook(_ name: String, _ environment: inout EnvironmentReader) -> Hook? {
        var isEnabled = false
        environment.flag("GOTRUE_HOOK_\(name)_ENABLED", into: &isEnabled)
        let address = environment.text("GOTRUE_HOOK_\(name)_URI")
        let secrets = environment.text("GOTRUE_HOOK_\(name)_SECRETS")?.pieces(at: "|").map(String.init) ?? []
        guard isEnabled else { return nil }
        guard secrets.allSatisfy({ $0.hasPrefix("v1,whsec_") }) else {
            environment.problem("GOTRUE_HOOK_\(name)_SECRETS must be v1,whsec_ and base 64, several of them separated by |.")
            return nil
        }
        guard let address, LoopbackClient.reaches(address) else {
            environment.problem(
                "invalid value \"\(address ?? "")\" for GOTRUE_HOOK_\(name)_URI: use an http:// address of 127.0.0.1 or localhost."
            )
            return nil
        }
        return Hook(address: address, secrets: secrets.map { Secret($0) })
    }
}
