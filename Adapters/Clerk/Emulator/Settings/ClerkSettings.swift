internal import LockstepEmulation

/// The settings of a Clerk instance, as its dashboard shows them.
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

    /// How an e-mail address can be verified at sign-up.
    public var emailVerification: Set<EmailProof> = [.code]
    /// How an e-mail address alone can sign in; empty if it cannot.
    public var emailSignIn: Set<EmailProof> = [.code, .link]
    /// Whether an address must be verified before the sign-up completes.
    public var verifiesEmailAtSignUp = true
    /// Whether a number must be verified before the sign-up completes.
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
    /// Whether a sign-up wants a captcha (“Bot sign-up protection”); Turnstile's token for tests passes, every other is rejected.
    public var asksForCaptcha = false
    /// Whether a client holds one session at most.
    public var isSingleSession = false
    /// Whether native apps are served.
    public var allowsNativeAPI = true
    /// Whether test addresses take the code 424242.
    public var isTestMode = true
    /// Whether a password on a client that the user never signed in from asks for a second proof (`needs_client_trust`).
    public var asksNewClients = false
    /// Whether sensitive calls ask for a proof that is younger than ten minutes.
    public var asksAgain = false
    /// Whether users may delete themselves.
    public var allowsDeletingSelf = true
    /// Whether a wrong password and an unknown identifier get the same response.
    public var hidesAccounts = false
    /// Whether an e-mail link must be opened on the client that asked for it.
    public var bindsLinksToClient = false
    /// Whether names and pictures are left out of unfinished sign-ins.
    public var hidesPersonalData = true
    /// Whether an enrolled second factor is asked after a ticket, too.
    public var asksSecondFactorAfterTicket = false

    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// The rules for user names.
    public var usernameRules = UsernameRules()
    /// The lockout rule; `nil` for none.
    public var lockout: LockoutRule? = LockoutRule()
    /// The number of wrong codes after which a verification fails for good.
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

    /// Where events are sent, a plain `http://` address on this machine; `nil` for nowhere.
    public var webhookURL: String?
    /// The secret that signs events, `whsec_…`; `nil` for one that the instance makes.
    public var webhookSecret: Secret?
    /// The secret key of the Backend API, `sk_test_…`; `nil` for one that the instance makes.
    public var secretKey: Secret?
    /// Who may use the instance.
    public var restrictions = RestrictionRules()
    /// Passkeys.
    public var passkeys = PasskeyRules()
    /// Organizations.
    public var organizations = OrganizationRules()
    /// Enterprise connections.
    public var enterprise = EnterpriseRules()

    /// The lifetime of codes.
    public var codeLifetime = Duration.seconds(600)
    /// The lifetime of e-mail links.
    public var linkLifetime = Duration.seconds(600)
    /// The lifetime of an unfinished sign-in or sign-up.
    public var attemptLifetime = Duration.seconds(24 * 3600)
    /// The maximum lifetime of a session.
    public var sessionLifetime = Duration.seconds(7 * 24 * 3600)
    /// The lifetime of an unused session.
    public var sessionInactivity = Duration.seconds(30 * 24 * 3600)
    /// The lifetime of a session token.
    public var tokenLifetime = Duration.seconds(60)
    /// The grace period of a client's replaced token.
    public var clientTokenGrace = Duration.seconds(600)
    /// Whether new bcrypt hashes cost as little as they can, for tests; Clerk's own cost is 10, some 50 ms.
    public var usesCheapHashes = false

    /// The settings that a file has.
    public internal(set) var given = GivenNames()

    /// A development instance.
    public init() {}
}

/// Who may use the instance (`user_settings.restrictions`).
public struct RestrictionRules: Sendable, Hashable {
    /// Whether only listed identifiers may sign up.
    public var hasAllowlist = false
    /// Whether listed identifiers may not.
    public var hasBlocklist = false
    /// Whether the lists do not matter at sign-in.
    public var ignoresListsAtSignIn = false
    /// Whether addresses with `+`, `#` or `=` are rejected at sign-up and when a user adds one, and Gmail addresses with dots whose
    /// form without dots a user has.
    public var refusesSubaddresses = false
    /// Whether addresses of throw-away hosts are rejected; the emulator knows none of them.
    public var refusesDisposableDomains = false
    /// Countries, by their two letters, whose numbers get no text messages; kept, and not enforced.
    public var blockedCountries: [String] = []
    /// Whether Clerk's own rules against bots are on; kept, and not enforced.
    public var hasProtectRules = false
    /// Whether its device checks are; kept, and not enforced.
    public var hasSpecter = false

    /// Clerk's own rules.
    public init() {}
}

/// Passkeys (`user_settings.attributes.passkey`).
public struct PasskeyRules: Sendable, Hashable {
    /// Whether users can have them, and sign in by them.
    public var isEnabled = false
    /// The host that passkeys are made for, or a domain above it; browsers take no IP address.
    public var relyingParty = "localhost"
    /// The pages whose authenticators are believed.
    public var origins = ["http://localhost:3000"]

    /// A page in development.
    public init() {}
}

/// Organizations of users (`organization_settings`).
public struct OrganizationRules: Sendable, Hashable {
    /// Whether there are any.
    public var isEnabled = false
    /// The most members of a new organization, open invitations included; 0 for any number.
    public var membershipLimit = 5
    /// Whether members with the permission may delete a new organization.
    public var allowsAdminDelete = true
    /// Whether organizations have slugs of their own choice.
    public var hasSlugs = true
    /// Whether organizations can have domains.
    public var hasDomains = false
    /// How users with an address of a domain can come in.
    ///
    /// A domain is for an organization's own enterprise connection only with ``EnrollmentMode/enterprise`` among them.
    public var enrollmentModes: Set<EnrollmentMode> = [.manual, .invitation, .suggestion]
    /// Whether a new session is pending until the user has chosen an organization.
    public var isSelectionForced = false

    /// Clerk's own rules.
    public init() {}
}

/// Who may sign up (`user_settings.sign_up.mode`).
public enum SignUpMode: String, Sendable, Hashable, CaseIterable {
    /// Everyone.
    case open = "public"
    /// Only holders of an invitation.
    case restricted
    /// Only users admitted from the waitlist.
    case waitlist
}

/// Whether an attribute belongs to a user of this instance.
public enum Requirement: String, Sendable, Hashable, CaseIterable {
    /// The instance does not know the attribute.
    case off
    /// A user may have it.
    case optional
    /// No user without it.
    case required

    /// Whether the instance knows the attribute at all.
    var isEnabled: Bool { self != .off }
}

/// How an e-mail address is verified.
public enum EmailProof: String, Sendable, Hashable, CaseIterable {
    /// Six digits.
    case code = "email_code"
    /// A link that is opened while the app polls.
    case link = "email_link"
}

/// A second factor that users of this instance can set up.
public enum SecondFactor: String, Sendable, Hashable, CaseIterable {
    /// An authenticator app.
    case totp
    /// A code by SMS to a number that is reserved for it.
    case phoneCode = "phone_code"
    /// One of ten codes on paper.
    case backupCode = "backup_code"
}

/// The rules for user names (`user_settings.username_settings`).
public struct UsernameRules: Sendable, Hashable {
    /// The fewest characters.
    public var minimumLength = 4
    /// The most characters.
    public var maximumLength = 64
    /// Whether more signs than `_` and `-` are allowed.
    public var allowsSigns = false

    /// Clerk's own rules.
    public init() {}
}

/// When a user is locked out after failed proofs (`attack_protection.user_lockout`).
public struct LockoutRule: Sendable, Hashable {
    /// Failed proofs until the lock.
    public var attempts: Int
    /// How long the lock lasts.
    public var duration: Duration

    /// Locks after `attempts` failed proofs for `duration`.
    public init(attempts: Int = 100, duration: Duration = .seconds(3600)) {
        self.attempts = attempts
        self.duration = duration
    }
}

/// Values derived from the settings, by their names on the wire.
extension ClerkSettings {
    /// The attributes that can identify a user, in Clerk's order.
    var identifierNames: [String] {
        [("email_address", emailAddress), ("phone_number", phoneNumber), ("username", username)].filter(\.1.isEnabled).map(\.0)
    }

    /// Whether users have the attribute of that name.
    func requirement(of name: String) -> Requirement {
        switch name {
        case "email_address": emailAddress
        case "phone_number": phoneNumber
        case "username": username
        case "first_name": firstName
        case "last_name": lastName
        case "password": password
        case "legal_accepted": requiresLegalConsent ? .required : .off
        default: .off
        }
    }

    /// `supported_identifiers` of a sign-in, sorted.
    var supportedIdentifiers: [String] {
        (identifierNames + (passkeys.isEnabled ? ["passkey"] : [])
            + (password.isEnabled && signsInByPassword && username.isEnabled ? ["password"] : [])).sorted()
    }

    /// Every strategy that can be a first factor here, sorted.
    var firstFactors: [String] {
        var names = passkeys.isEnabled ? ["passkey", "ticket"] : ["ticket"]
        if emailAddress.isEnabled { names += emailSignIn.map(\.rawValue) }
        if phoneNumber.isEnabled, signsInByPhoneCode { names.append("phone_code") }
        if password.isEnabled, signsInByPassword {
            names.append("password")
            if emailAddress.isEnabled { names.append("reset_password_email_code") }
            if phoneNumber.isEnabled { names.append("reset_password_phone_code") }
        }
        for provider in providers {
            if provider.allowsRedirect { names.append("oauth_\(provider.name)") }
            if provider.allowsTokens { names.append("oauth_token_\(provider.name)") }
            if provider.allowsTokens, provider.name == "google" { names.append("google_one_tap") }
        }
        return names.sorted()
    }

    /// The provider of a strategy like `oauth_apple` or `oauth_token_apple`, if it is known here.
    func provider(ofStrategy strategy: String, withPrefix prefix: String) -> IdentityProvider? {
        guard strategy.hasPrefix(prefix) else { return nil }
        let name = strategy.dropFirst(prefix.count)
        return providers.first { $0.name == name }
    }
}
