/// What a Clerk instance is set to do: what its dashboard would show.
///
/// The defaults are those of a development instance with e-mail address and password, a code by mail at sign-up, and nothing
/// else required. Limits that make tests slow are off.
public struct ClerkSettings: Sendable, Hashable {
    /// The name of the application, on messages and in the environment.
    public var applicationName = "Lockstep"

    /// E-mail addresses.
    public var emailAddress = Requirement.required
    /// Telephone numbers.
    public var phoneNumber = Requirement.optional
    /// User names.
    public var username = Requirement.optional
    /// First names.
    public var firstName = Requirement.optional
    /// Last names.
    public var lastName = Requirement.optional
    /// Passwords.
    public var password = Requirement.required

    /// How an e-mail address can be proven at sign-up.
    public var emailVerification: Set<EmailProof> = [.code]
    /// How an e-mail address alone can sign in; empty where it cannot.
    public var emailSignIn: Set<EmailProof> = [.code, .link]
    /// Whether an address must be proven before the sign-up completes.
    public var verifiesEmailAtSignUp = true
    /// Whether a number must be proven before the sign-up completes.
    public var verifiesPhoneAtSignUp = true
    /// Whether a code by SMS can sign in.
    public var signsInByPhoneCode = true
    /// Whether a password can sign in.
    public var signsInByPassword = true
    /// The second factors that users can set up.
    public var secondFactors: Set<SecondFactor> = [.totp, .phoneCode, .backupCode]
    /// The identity providers, by redirect and by ID token.
    public var providers: [IdentityProvider] = []

    /// Who may sign up.
    public var signUpMode = SignUpMode.open
    /// Whether the terms must be accepted at sign-up.
    public var requiresLegalConsent = false
    /// Whether a client holds one session at most.
    public var isSingleSession = false
    /// Whether apps that are not pages are served.
    public var allowsNativeAPI = true
    /// Whether test addresses take the code 424242.
    public var isTestMode = true
    /// Whether a password on a client that the user never signed in from asks for a second proof (`needs_client_trust`).
    public var asksNewClients = false
    /// Whether sensitive calls ask for a proof that is younger than ten minutes.
    public var asksAgain = false
    /// Whether users may delete themselves.
    public var allowsDeletingSelf = true
    /// Whether a wrong password and an unknown identifier are answered alike.
    public var hidesAccounts = false
    /// Whether an e-mail link must be opened on the client that asked for it.
    public var bindsLinksToClient = false
    /// Whether names and pictures are left out of unfinished sign-ins.
    public var hidesPersonalData = true
    /// Whether an enrolled second factor is asked after a ticket, too.
    public var asksSecondFactorAfterTicket = false

    /// What new passwords must be like.
    public var passwordPolicy = PasswordPolicy()
    /// What user names must be like.
    public var usernameRules = UsernameRules()
    /// When users are locked out; `nil` for never.
    public var lockout: LockoutRule? = LockoutRule()
    /// Wrong codes until a verification fails for good.
    public var attemptsPerVerification = 3
    /// The least time between two messages of one verification; `nil` for none.
    ///
    /// Clerk's own is 30 s.
    public var resendInterval: Duration?
    /// Whether Clerk's limits for one address hold: 5 new attempts and 3 proofs in 10 seconds.
    public var limitsRates = false
    /// The most users; `nil` for any number.
    ///
    /// Clerk's development instances take 500.
    public var userLimit: Int?

    /// How long codes live.
    public var codeLifetime = Duration.seconds(600)
    /// How long e-mail links live.
    public var linkLifetime = Duration.seconds(600)
    /// How long an unfinished sign-in or sign-up lives.
    public var attemptLifetime = Duration.seconds(24 * 3600)
    /// How long a session lives at most.
    public var sessionLifetime = Duration.seconds(7 * 24 * 3600)
    /// How long a session lives without being used.
    public var sessionInactivity = Duration.seconds(30 * 24 * 3600)
    /// How long a session token lives.
    public var tokenLifetime = Duration.seconds(60)
    /// How long a client's former token is still taken after it was replaced.
    public var clientTokenGrace = Duration.seconds(600)
    /// Whether new bcrypt hashes cost as little as they can, for tests; Clerk's own cost is 10, some 50 ms.
    public var usesCheapHashes = false

    /// A development instance.
    public init() {}
}
