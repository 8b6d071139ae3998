public import Lockstep

/// The settings of an in-memory backend: they stand for the project settings of a real provider.
public struct InMemorySettings: Sendable {
    /// What the adapter offers; a capability that is left out has no strategy and no feature behind it.
    public var capabilities: Set<Capability>
    /// Its behavior where providers rightly differ.
    public var behavior: ProviderBehavior
    /// Whether a sign-up gives a session before the address is proven, in a call of several requests.
    public var givesLimitedSession: Bool
    /// The shortest password that may be set.
    public var minimumPasswordLength: Int
    /// The longest password that may be set, in Unicode scalars.
    public var maximumPasswordLength = 4096
    /// How long an access token lives.
    public var tokenLife: Duration
    /// Whether a refresh gives a new refresh token and spends the old one.
    public var rotatesRefreshTokens: Bool
    /// How long a link or code can be used.
    public var proofLife: Duration
    /// The shortest interval between two messages of a flow.
    public var resendInterval: Duration
    /// How old a sign-in may be for a sensitive call.
    public var sensitiveAge: Duration
    /// The app's callback address; `nil` stands for one of a scheme that no app has.
    public var callback: CallbackAddress?
    /// Whether the link of a password reset leads to a page of the provider's, which takes the new password.
    ///
    /// The app has nothing to answer then (``Challenge/ending``). ``InMemoryBackend/setPassword(_:of:)`` stands for the page.
    public var resetsOnWebPage = false

    /// Settings; the defaults are the strictest.
    ///
    /// - Parameter callback: Where links lead; `app.lockstep.memory://auth/callback` without one.
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

    /// Where links lead.
    public var callbackURL: String { callback?.url ?? "app.lockstep.memory://auth/callback" }

    /// All that this adapter can offer.
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
    /// Addresses are proven by a link; there is no session before.
    public static var confirmingByLink: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .poll]))
    }

    /// Addresses are proven by a code; there is no session before.
    public static var confirmingByCode: InMemorySettings {
        InMemorySettings(capabilities: everything.subtracting([.confirmationLink, .emailLinkSignIn, .poll]))
    }

    /// A sign-up gives a limited session at once; the link may be opened on any device, and the app polls.
    public static var limitedUntilProven: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationCode, .emailCodeSignIn, .requirements]),
            givesLimitedSession: true,
            rotatesRefreshTokens: false)
    }

    /// Nothing has to be proven.
    public static var confirmingByItself: InMemorySettings {
        InMemorySettings(
            capabilities: everything.subtracting([.confirmationLink, .poll]), behavior: ProviderBehavior(signUpProof: .automatic))
    }
}
