public import Lockstep

/// The settings of an in-memory backend.
///
/// They correspond to the project settings of a real provider.
///
/// ```swift
/// var settings = InMemorySettings.confirmingByCode
/// settings.minimumPasswordLength = 12
/// settings.capabilities.remove(.oauth)
/// let backend = InMemoryBackend(settings)
/// ```
public struct InMemorySettings: Sendable {
    /// The capabilities of the adapter.
    ///
    /// A capability that is left out has no strategy and no feature.
    public var capabilities: Set<Capability>
    /// The behavior where providers legitimately differ.
    public var behavior: ProviderBehavior
    /// Whether a sign-up creates a session before the email address is verified, in a call with several requests.
    public var givesLimitedSession: Bool
    /// The minimum length of a password.
    public var minimumPasswordLength: Int
    /// The maximum length of a password in Unicode scalars.
    public var maximumPasswordLength = 4096
    /// The lifetime of an access token.
    public var tokenLife: Duration
    /// Whether a refresh returns a new refresh token and uses up the old one.
    public var rotatesRefreshTokens: Bool
    /// The lifetime of a link or code.
    public var proofLife: Duration
    /// The minimum time between two messages of a flow.
    public var resendInterval: Duration
    /// The maximum age of a sign-in for a sensitive call.
    public var sensitiveAge: Duration
    /// The app's callback URL; `nil` for a URL with a scheme that no app has.
    public var callback: CallbackAddress?
    /// Whether the link of a password reset opens a web page of the provider, where the user enters the new password.
    ///
    /// Then the app cannot respond to the flow (``Challenge/ending``). ``InMemoryBackend/setPassword(_:of:)`` does what
    /// the page would do.
    public var resetsOnWebPage = false

    /// Creates settings.
    ///
    /// The defaults are the strictest.
    ///
    /// - Parameters:
    ///   - capabilities: The capabilities of the adapter. Default: all.
    ///   - behavior: The behavior where providers legitimately differ.
    ///   - givesLimitedSession: Whether a sign-up creates a session before the email address is verified. Default:
    ///     `false`.
    ///   - minimumPasswordLength: The minimum length of a password. Default: 8.
    ///   - tokenLife: The lifetime of an access token. Default: an hour.
    ///   - rotatesRefreshTokens: Whether a refresh returns a new refresh token and uses up the old one. Default: `true`.
    ///   - proofLife: The lifetime of a link or code. Default: 15 minutes.
    ///   - resendInterval: The minimum time between two messages of a flow. Default: a minute.
    ///   - sensitiveAge: The maximum age of a sign-in for a sensitive call. Default: 10 minutes.
    ///   - callback: The URL that links open. Default: `app.lockstep.memory://auth/callback`.
    public init(
        capabilities: Set<Capability> = InMemorySettings.everything, behavior: ProviderBehavior = ProviderBehavior(),
        givesLimitedSession: Bool = false,
        minimumPasswordLength: Int = 8, tokenLife: Duration = .seconds(3600), rotatesRefreshTokens: Bool = true,
        proofLife: Duration = .seconds(900), resendInterval: Duration = .seconds(60), sensitiveAge: Duration = .seconds(600),
        callback: CallbackAddress? = nil
    ) {
        self.capabilities = capabilities
        self.behavior = behavior
        self.givesLimitedSession = givesLimitedSession
        self.minimumPasswordLength = minimumPasswordLength
        self.tokenLife = tokenLife
        self.rotatesRefreshTokens = rotatesRefreshTokens
        self.proofLife = proofLife
        self.resendInterval = resendInterval
        self.sensitiveAge = sensitiveAge
        self.callback = callback
    }

    /// The URL that links open.
    public var callbackURL: String { callback?.url ?? "app.lockstep.memory://auth/callback" }

    /// Every capability that this adapter supports.
    public static let everything: Set<Capability> = [
        .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey,
        .confirmationCode, .confirmationLink, .poll, .secondFactor, .backupCode, .newPasswordStep, .requirements,
        .captcha, .passwordReset, .displayName, .photo, .userMetadata, .passwordChange, .emailChange, .linking, .reauthentication,
        .accountDeletion, .factorEnrolment, .photoUpload, .backupCodeRenewal, .passkeyManagement, .passkeyRenaming,
        .organizations,
        .signOutOthers, .signOutEverywhere,
    ]
}

extension InMemorySettings {
    /// A link verifies email addresses.
    ///
    /// There is no session before.
    public static var confirmingByLink: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .poll]))
    }

    /// A code verifies email addresses.
    ///
    /// There is no session before.
    public static var confirmingByCode: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationLink, .emailLinkSignIn, .poll]))
    }

    /// A sign-up immediately creates a limited session.
    ///
    /// The link can be opened on any device, and the app polls.
    public static var limitedUntilProven: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .requirements]),
            givesLimitedSession: true,
            rotatesRefreshTokens: false)
    }

    /// No verification is required.
    public static var confirmingByItself: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationLink, .poll]), behavior: ProviderBehavior(signUpProof: .automatic))
    }
}
