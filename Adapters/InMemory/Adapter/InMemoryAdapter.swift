@_exported public import Lockstep
@_exported public import LockstepPrimitives

/// An adapter without a network, for previews and for the tests of apps.
///
/// It keeps the same contracts as the adapters of real providers. If those differ, the settings select the behavior, so
/// you can test an app with each of them:
///
/// ```swift
/// let backend = InMemoryBackend(.confirmingByCode)
/// let auth = AuthClient(adapter: InMemoryAdapter(backend: backend), store: MemorySessionStore())
/// ```
public struct InMemoryAdapter: AuthAdapter {
    /// The backend, which has the users and the sessions.
    public let users: InMemoryBackend
    let clock: any DeviceClock

    /// Creates an adapter for a backend in the same process.
    ///
    /// - Parameters:
    ///   - backend: The backend.
    ///   - clock: The device's clock. The backend has its own.
    public init(backend: InMemoryBackend, clock: any DeviceClock = SystemClock()) {
        users = backend
        self.clock = clock
    }

    /// The name `memory`.
    public var name: String { "memory" }
    /// The URL of the backend, unique in the process.
    public var backend: String { "memory://\(users.id)" }

    var link: InMemoryLink { InMemoryLink(backend: users, clock: clock) }

    private func has(_ capability: Capability) -> Bool { users.settings.capabilities.contains(capability) }

    /// The ways to sign in that the settings enable.
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

    /// The verifications that the settings enable.
    public var verification: [any VerificationStrategy] {
        let all: [any VerificationStrategy] = [
            CodeProof(link: link), LinkProof(link: link), PollProof(link: link), EmailCodeProof(link: link),
            EmailLinkProof(link: link), RoundTripEnd(link: link), NewPasswordEntry(link: link), PhoneCodeProof(link: link),
            FactorProof(link: link), FactorProof(link: link, capability: .backupCode), DemandedPassword(link: link),
            DemandedFields(link: link), PasskeyProof(link: link),
        ]
        return all.filter { has($0.capability) }
    }

    /// Refreshes, reloads and revokes sessions.
    public var sessions: any SessionAuthority { InMemorySessions(link: link) }
    /// Reads links of this backend.
    public var callbacks: any CallbackReading {
        InMemoryCallbacks(
            addresses: (try? CallbackAddress(users.settings.callbackURL)).map { [$0] } ?? [],
            linksComeWithCodes: has(.confirmationCode) && has(.confirmationLink))
    }
    /// Emails whose request got no response, and invitations if the settings enable tickets.
    public var unrequestedLinks: (any UnrequestedLinks)? { InMemoryOpenedLinks(link: link) }

    /// The scopes that the settings enable.
    public var signOutScopes: Set<SignOutScope> {
        var scopes: Set<SignOutScope> = [.local]
        if has(.signOutOthers) { scopes.insert(.others) }
        if has(.signOutEverywhere) { scopes.insert(.everywhere) }
        return scopes
    }

    /// Supported if the settings enable it.
    public var passwordReset: (any PasswordReset)? { has(.passwordReset) ? InMemoryReset(link: link) : nil }
    /// Supported if the settings enable it.
    public var profile: (any ProfileUpdate)? {
        has(.displayName) ? InMemoryProfile(link: link, acceptsPhoto: has(.photo), acceptsMetadata: has(.userMetadata)) : nil
    }
    /// Supported if the settings enable it.
    public var passwordChange: (any PasswordChange)? { has(.passwordChange) ? InMemoryAccount(link: link) : nil }
    /// Supported if the settings enable it.
    public var emailChange: (any EmailChange)? { has(.emailChange) ? InMemoryEmailChange(link: link) : nil }
    /// Supported if the settings enable it.
    public var linking: (any IdentityLinking)? { has(.linking) ? InMemoryAccount(link: link) : nil }
    /// Supported if the settings enable it.
    public var secondFactors: (any SecondFactors)? { has(.factorEnrolment) ? InMemoryFactorEnrolment(link: link) : nil }
    /// Supported if the settings enable it.
    public var passkeys: (any PasskeyManagement)? { has(.passkeyManagement) ? InMemoryPasskeys(link: link) : nil }
    /// Supported if the settings enable it.
    public var organizations: (any OrganizationSwitching)? { has(.organizations) ? InMemoryOrganizations(link: link) : nil }
    /// Supported if the settings enable it.
    public var photoUpload: (any PhotoUpload)? { has(.photoUpload) ? InMemoryPhoto(link: link) : nil }
    /// Supported if the settings enable it.
    public var reauthentication: (any Reauthentication)? { has(.reauthentication) ? InMemoryAccount(link: link) : nil }
    /// Supported if the settings enable it.
    public var acceptsCaptcha: Bool { has(.captcha) }
    /// Supported if the settings enable it.
    public var addressProof: (any AddressProof)? {
        users.settings.givesLimitedSession ? InMemoryAddressProof(link: link) : nil
    }
    /// Supported if the settings enable it.
    public var accountDeletion: (any AccountDeletion)? { has(.accountDeletion) ? InMemoryAccount(link: link) : nil }
}
