@_exported public import Lockstep
@_exported public import LockstepPrimitives

/// An adapter without a wire, for previews and for the tests of apps.
///
/// It keeps the same promises as the adapters of real providers. A setting selects its behavior where those differ, so that an
/// app can be tested with each of them:
///
/// ```swift
/// let backend = InMemoryBackend(.confirmingByCode)
/// let auth = AuthClient(adapter: InMemoryAdapter(backend: backend), store: MemorySessionStore())
/// ```
public struct InMemoryAdapter: AuthAdapter {
    /// The backend, which holds users and sessions.
    public let users: InMemoryBackend
    let clock: any DeviceClock

    /// An adapter of a backend in the same process.
    ///
    /// - Parameter clock: the device's clock; the backend has one of its own.
    public init(backend: InMemoryBackend, clock: any DeviceClock = SystemClock()) {
        users = backend
        self.clock = clock
    }

    /// The name `memory`.
    public var name: String { "memory" }
    /// The address of the backend, unique in the process.
    public var backend: String { "memory://\(users.id)" }

    var link: InMemoryLink { InMemoryLink(backend: users, clock: clock) }

    private func has(_ capability: Capability) -> Bool { users.settings.capabilities.contains(capability) }

    /// Those of the settings.
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

    /// Those of the settings.
    public var verification: [any VerificationStrategy] {
        let all: [any VerificationStrategy] = [
            CodeProof(link: link), LinkProof(link: link), PollProof(link: link), EmailCodeProof(link: link),
            EmailLinkProof(link: link), RoundTripEnd(link: link), NewPasswordEntry(link: link), PhoneCodeProof(link: link),
            FactorProof(link: link), FactorProof(link: link, capability: .backupCode), DemandedPassword(link: link),
            DemandedFields(link: link), PasskeyProof(link: link),
        ]
        return all.filter { has($0.capability) }
    }

    /// Renews, reads and ends sessions.
    public var sessions: any SessionAuthority { InMemorySessions(link: link) }
    /// Reads links of this backend.
    public var callbacks: any CallbackReading {
        InMemoryCallbacks(
            addresses: (try? CallbackAddress(users.settings.callbackURL)).map { [$0] } ?? [],
            linksComeWithCodes: has(.confirmationCode) && has(.confirmationLink))
    }
    /// Mails whose request had no answer, and invitations where the settings have tickets.
    public var unrequestedLinks: (any UnrequestedLinks)? { InMemoryOpenedLinks(link: link) }

    /// Those of the settings.
    public var signOutScopes: Set<SignOutScope> {
        var scopes: Set<SignOutScope> = [.local]
        if has(.signOutOthers) { scopes.insert(.others) }
        if has(.signOutEverywhere) { scopes.insert(.everywhere) }
        return scopes
    }

    /// Given where the settings say so.
    public var passwordReset: (any PasswordReset)? { has(.passwordReset) ? InMemoryReset(link: link) : nil }
    /// Given where the settings say so.
    public var profile: (any ProfileUpdate)? {
        has(.displayName) ? InMemoryProfile(link: link, takesPhoto: has(.photo), takesMetadata: has(.userMetadata)) : nil
    }
    /// Given where the settings say so.
    public var passwordChange: (any PasswordChange)? { has(.passwordChange) ? InMemoryAccount(link: link) : nil }
    /// Given where the settings say so.
    public var emailChange: (any EmailChange)? { has(.emailChange) ? InMemoryEmailChange(link: link) : nil }
    /// Given where the settings say so.
    public var linking: (any IdentityLinking)? { has(.linking) ? InMemoryAccount(link: link) : nil }
    /// Given where the settings say so.
    public var secondFactors: (any SecondFactors)? { has(.factorEnrolment) ? InMemoryFactorEnrolment(link: link) : nil }
    /// Given where the settings say so.
    public var passkeys: (any PasskeyManagement)? { has(.passkeyManagement) ? InMemoryPasskeys(link: link) : nil }
    /// Given where the settings say so.
    public var organizations: (any OrganizationSwitching)? { has(.organizations) ? InMemoryOrganizations(link: link) : nil }
    /// Given where the settings say so.
    public var photoUpload: (any PhotoUpload)? { has(.photoUpload) ? InMemoryPhoto(link: link) : nil }
    /// Given where the settings say so.
    public var reauthentication: (any Reauthentication)? { has(.reauthentication) ? InMemoryAccount(link: link) : nil }
    /// Where the settings say so.
    public var acceptsCaptcha: Bool { has(.captcha) }
    /// Given where the settings say so.
    public var addressProof: (any AddressProof)? {
        users.settings.givesLimitedSession ? InMemoryAddressProof(link: link) : nil
    }
    /// Given where the settings say so.
    public var accountDeletion: (any AccountDeletion)? { has(.accountDeletion) ? InMemoryAccount(link: link) : nil }
}
