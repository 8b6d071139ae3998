public import Lockstep

/// The settings of an in-memory backend.
///
/// The settings correspond to the project settings of a real provider.
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
    /// If a capability is missing, the adapter has no strategy or feature for that capability.
    public var capabilities: Set<Capability>
    /// The behavior that the backend copies from a real provider.
    public var behavior: ProviderBehavior
    /// Whether a sign-up creates a session with limited rights before the email address is verified.
    ///
    /// A sign-up then consists of several requests.
    public var givesLimitedSession: Bool
    /// The minimum length of a password.
    public var minimumPasswordLength: Int
    /// The maximum length of a password in Unicode scalars.
    public var maximumPasswordLength = 4096
    /// The lifetime of an access token.
    public var tokenLife: Duration
    /// Whether a refresh returns a new refresh token, and makes the old token invalid.
    public var rotatesRefreshTokens: Bool
    /// The lifetime of a link or code.
    public var proofLife: Duration
    /// The minimum time between two messages of a flow.
    public var resendInterval: Duration
    /// The maximum age of a sign-in for a sensitive call.
    public var sensitiveAge: Duration
    /// The app's callback URL; `nil` to use a URL with a scheme that no app uses.
    public var callback: CallbackAddress?
    /// Whether the link of a password reset opens a web page of the provider, where the user enters the new password.
    ///
    /// If the value is `true`, the app cannot respond to the flow (``Challenge/ending``). A test calls
    /// ``InMemoryBackend/setPassword(_:of:)`` to do what the user would do on the page.
    public var resetsOnWebPage = false

    /// Creates settings with the strictest defaults.
    ///
    /// - Parameters:
    ///   - capabilities: The capabilities of the adapter. Default: all.
    ///   - behavior: The behavior that the backend copies from a real provider. Default: the strictest.
    ///   - givesLimitedSession: Whether a sign-up creates a session with limited rights before the email address is
    ///     verified. Default: `false`.
    ///   - minimumPasswordLength: The minimum length of a password. Default: 8.
    ///   - tokenLife: The lifetime of an access token. Default: an hour.
    ///   - rotatesRefreshTokens: Whether a refresh returns a new refresh token, and makes the old token invalid.
    ///     Default: `true`.
    ///   - proofLife: The lifetime of a link or code. Default: 15 minutes.
    ///   - resendInterval: The minimum time between two messages of a flow. Default: a minute.
    ///   - sensitiveAge: The maximum age of a sign-in for a sensitive call. Default: 10 minutes.
    ///   - callback: The callback URL, with which links open the app. Default: `app.lockstep.memory://auth/callback`.
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

    /// The callback URL, with which links open the app.
    public var callbackURL: String { callback?.url ?? "app.lockstep.memory://auth/callback" }

    /// All capabilities that this adapter supports.
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
    /// Settings that require a user to verify the email address with a link before a sign-up creates a session.
    public static var confirmingByLink: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .poll]))
    }

    /// Settings that require a user to verify the email address with a code before a sign-up creates a session.
    public static var confirmingByCode: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationLink, .emailLinkSignIn, .poll]))
    }

    /// Settings that let a sign-up immediately create a session with limited rights.
    ///
    /// The user can open the link on any device. The app asks the backend whether the user has opened the link
    /// (`poll`).
    public static var limitedUntilProven: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .requirements]),
            givesLimitedSession: true,
            rotatesRefreshTokens: false)
    }

    /// Settings that let users sign up without verification.
    public static var confirmingByItself: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationLink, .poll]), behavior: ProviderBehavior(signUpProof: .automatic))
    }
}
