@_exported public import Lockstep
@_exported public import LockstepPrimitives

/// An adapter without a network, for previews and for the tests of apps.
///
/// The adapter meets the same contracts as the adapters of real providers. If real providers differ, the settings
/// choose the behavior. So you can test an app with each behavior:
///
/// ```swift
/// let backend = InMemoryBackend(.confirmingByCode)
/// let auth = AuthClient(adapter: InMemoryAdapter(backend: backend), store: MemorySessionStore())
/// ```
public struct InMemoryAdapter: AuthAdapter {
    /// The backend, which contains the users and the sessions.
    public let users: InMemoryBackend
    let clock: any DeviceClock

    /// Creates an adapter for a backend in the same process.
    ///
    /// - Parameters:
    ///   - clock: The device's clock. The backend has its own clock.
    public init(backend: InMemoryBackend, clock: any DeviceClock = SystemClock()) {
        users = backend
        self.clock = clock
    }

    /// The name `memory`.
    public var name: String { "memory" }
    /// The URL of the backend, which is unique in the process.
    public var backend: String { "memory://\(users.id)" }

    var link: InMemoryLink { InMemoryLink(backend: users, clock: clock) }

    private func has(_ capability: Capability) -> Bool { users.settings.capabilities.contains(capability) }

    /// The sign-in strategies that the settings enable.
    public var signIn: SignInStrategies {
        if has(.password) { PasswordSignIn(link: link) }
        if has(.emailLinkSignIn) { EmailLinkSignIn(link: link) }
        if has(.emailCodeSignIn) { EmailCodeSignIn(link: link) }
        if has(.anonymous) { AnonymousSignIn(link: link) }
        if has(.idToken) { IDTokenSignIn(link: link) }
        if has(.oauth) { OAuthSignIn(link: link) }
        if has(.phoneCode) { PhoneCodeSignIn(link: link) }
        if has(.ticket) { TicketSignIn(link: link) }
        if has(.passkey) { PasskeySignIn(link: link) }
    }

    /// The verification strategies that the settings enable.
    public var verification: [any VerificationStrategy] {
        let all: [any VerificationStrategy] = [
            CodeProof(link: link), LinkProof(link: link), PollProof(link: link), EmailCodeProof(link: link),
            EmailLinkProof(link: link), RoundTripEnd(link: link), NewPasswordEntry(link: link), PhoneCodeProof(link: link),
            FactorProof(link: link), FactorProof(link: link, capability: .backupCode), DemandedPassword(link: link),
            DemandedFields(link: link), PasskeyProof(link: link),
        ]
        return all.filter { has($0.capability) }
    }

    /// The component that refreshes, reloads and revokes sessions.
    public var sessions: any SessionAuthority { InMemorySessions(link: link) }
    /// The component that reads the links of this backend.
    public var callbacks: any CallbackReading {
        InMemoryCallbacks(
            addresses: (try? CallbackAddress(users.settings.callbackURL)).map { [$0] } ?? [],
            linksComeWithCodes: has(.confirmationCode) && has(.confirmationLink))
    }
    /// The component that opens email links if the response to the request for the email was lost.
    ///
    /// If the settings enable tickets, the component also opens invitations.
    public var unrequestedLinks: (any UnrequestedLinks)? { InMemoryOpenedLinks(link: link) }

    /// The sign-out scopes that the settings enable.
    public var signOutScopes: Set<SignOutScope> {
        var scopes: Set<SignOutScope> = [.local]
        if has(.signOutOthers) { scopes.insert(.others) }
        if has(.signOutEverywhere) { scopes.insert(.everywhere) }
        return scopes
    }

    /// The feature that replaces a forgotten password; `nil` if the settings disable this feature.
    public var passwordReset: (any PasswordReset)? { has(.passwordReset) ? InMemoryReset(link: link) : nil }
    /// The feature that changes the name and the photo; `nil` if the settings disable this feature.
    public var profile: (any ProfileUpdate)? {
        has(.displayName) ? InMemoryProfile(link: link, acceptsPhoto: has(.photo), acceptsMetadata: has(.userMetadata)) : nil
    }
    /// The feature that changes the password; `nil` if the settings disable this feature.
    public var passwordChange: (any PasswordChange)? { has(.passwordChange) ? InMemoryAccount(link: link) : nil }
    /// The feature that changes the email address; `nil` if the settings disable this feature.
    public var emailChange: (any EmailChange)? { has(.emailChange) ? InMemoryEmailChange(link: link) : nil }
    /// The feature that adds and removes identities; `nil` if the settings disable this feature.
    public var linking: (any IdentityLinking)? { has(.linking) ? InMemoryAccount(link: link) : nil }
    /// The feature that adds and removes second factors; `nil` if the settings disable this feature.
    public var secondFactors: (any SecondFactors)? { has(.factorEnrolment) ? InMemoryFactorEnrolment(link: link) : nil }
    /// The feature that lists, removes and renames passkeys; `nil` if the settings disable this feature.
    public var passkeys: (any PasskeyManagement)? { has(.passkeyManagement) ? InMemoryPasskeys(link: link) : nil }
    /// The feature that lists organizations and sets the active organization; `nil` if the settings disable this
    /// feature.
    public var organizations: (any OrganizationSwitching)? { has(.organizations) ? InMemoryOrganizations(link: link) : nil }
    /// The feature that uploads a photo; `nil` if the settings disable this feature.
    public var photoUpload: (any PhotoUpload)? { has(.photoUpload) ? InMemoryPhoto(link: link) : nil }
    /// The feature that signs the user in again for a sensitive call; `nil` if the settings disable this feature.
    public var reauthentication: (any Reauthentication)? { has(.reauthentication) ? InMemoryAccount(link: link) : nil }
    /// Whether the adapter supports captchas, as the settings specify.
    public var acceptsCaptcha: Bool { has(.captcha) }
    /// The feature that verifies the email address of a user who already has a session; `nil` if the settings disable
    /// this feature.
    public var addressVerification: (any AddressVerification)? {
        users.settings.givesLimitedSession ? InMemoryAddressVerification(link: link) : nil
    }
    /// The feature that deletes the account; `nil` if the settings disable this feature.
    public var accountDeletion: (any AccountDeletion)? { has(.accountDeletion) ? InMemoryAccount(link: link) : nil }
}
