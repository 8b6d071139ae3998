internal import LockstepEmulation

/// The settings of a Clerk instance, as in its dashboard.
///
/// The defaults are those of a development instance with email address and password, an emailed code at sign-up, and no other
/// requirements. Limits that slow down tests are off.
public struct ClerkSettings: Sendable, Hashable {
    /// The name of the application, in messages and in the environment.
    public var applicationName = "Lockstep"

    /// Whether users have email addresses.
    public var emailAddress = Requirement.required
    /// Whether users have phone numbers.
    public var phoneNumber = Requirement.optional
    /// Whether users have user names.
    public var username = Requirement.optional
    /// Whether users have first names.
    public var firstName = Requirement.optional
    /// Whether users have last names.
    public var lastName = Requirement.optional
    /// Whether users have passwords.
    public var password = Requirement.required

    /// The methods that verify an email address at sign-up.
    public var emailVerification: Set<EmailProof> = [.code]
    /// The methods of a sign-in with only an email address; may be empty.
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
    /// The identity providers, for sign-in by redirect and with an ID token.
    public var providers: [IdentityProvider] = []

    /// The users who may sign up.
    public var signUpMode = SignUpMode.open
    /// Whether the terms must be accepted at sign-up.
    public var requiresLegalConsent = false
    /// Whether a sign-up requires a captcha ("Bot sign-up protection").
    ///
    /// Only Turnstile's test token is accepted.
    public var asksForCaptcha = false
    /// Whether a client has at most one session.
    public var isSingleSession = false
    /// Whether the API for native apps is enabled.
    public var allowsNativeAPI = true
    /// Whether test addresses accept the code 424242.
    public var isTestMode = true
    /// Whether a password on a new client requires a second verification (`needs_client_trust`).
    public var asksNewClients = false
    /// Whether sensitive calls require a verification in the last ten minutes.
    public var asksAgain = false
    /// Whether users can delete their own accounts.
    public var allowsDeletingSelf = true
    /// Whether a wrong password and an unknown identifier get the same response.
    public var hidesAccounts = false
    /// Whether an email link must be opened on the client that requested it.
    public var bindsLinksToClient = false
    /// Whether unfinished sign-ins omit names and pictures.
    public var hidesPersonalData = true
    /// Whether an enrolled second factor is required after a ticket, too.
    public var asksSecondFactorAfterTicket = false

    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// The rules for user names.
    public var usernameRules = UsernameRules()
    /// The lockout rule; `nil` for none.
    public var lockout: LockoutRule? = LockoutRule()
    /// The number of wrong codes after which a verification fails permanently.
    public var attemptsPerVerification = 3
    /// The minimum time between two messages of a verification; `nil` for none.
    ///
    /// Clerk itself uses 30 seconds.
    public var resendInterval: Duration?
    /// Whether Clerk's limits for one address apply: 5 new attempts and 3 verifications in 10 seconds.
    public var limitsRates = false
    /// The maximum number of users; `nil` for no limit.
    ///
    /// Clerk's development instances allow 500.
    public var userLimit: Int?

    /// The address for events: plain `http://` on this machine; `nil` for none.
    public var webhookURL: String?
    /// The secret that signs events, `whsec_…`; `nil` for a generated one.
    public var webhookSecret: Secret?
    /// The secret key of the Backend API, `sk_test_…`; `nil` for a generated one.
    public var secretKey: Secret?
    /// The restrictions on users.
    public var restrictions = RestrictionRules()
    /// The settings of passkeys.
    public var passkeys = PasskeyRules()
    /// The settings of organizations.
    public var organizations = OrganizationRules()
    /// The settings of enterprise connections.
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
    /// The grace period for a client's replaced token.
    public var clientTokenGrace = Duration.seconds(600)
    /// Whether new bcrypt hashes use the minimum cost, for tests.
    ///
    /// Clerk's own cost is 10, which takes about 50 ms.
    public var usesCheapHashes = false

    /// The settings that a file contains.
    public internal(set) var given = GivenNames()

    /// Creates the settings of a development instance.
    public init() {}
}

/// The restrictions on users (`user_settings.restrictions`).
public struct RestrictionRules: Sendable, Hashable {
    /// Whether only listed identifiers may sign up.
    public var hasAllowlist = false
    /// Whether listed identifiers are blocked from signing up.
    public var hasBlocklist = false
    /// Whether the lists are ignored at sign-in.
    public var ignoresListsAtSignIn = false
    /// Whether addresses with `+`, `#` or `=` are rejected at sign-up and when a user adds one.
    ///
    /// Gmail addresses with dots are rejected if a user has the same address without dots.
    public var refusesSubaddresses = false
    /// Whether addresses of disposable hosts are rejected; the emulator has no list of them.
    public var refusesDisposableDomains = false
    /// The two-letter codes of countries whose numbers get no text messages; stored but not enforced.
    public var blockedCountries: [String] = []
    /// Whether Clerk's own rules against bots are on; stored but not enforced.
    public var hasProtectRules = false
    /// Whether Clerk's device checks are on; stored but not enforced.
    public var hasSpecter = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// Passkeys (`user_settings.attributes.passkey`).
public struct PasskeyRules: Sendable, Hashable {
    /// Whether users can have passkeys, and sign in with them.
    public var isEnabled = false
    /// The host for which passkeys are created, or a parent domain.
    ///
    /// Browsers do not accept an IP address.
    public var relyingParty = "localhost"
    /// The origins whose passkeys are accepted.
    public var origins = ["http://localhost:3000"]

    /// Creates settings for a page in development.
    public init() {}
}

/// Organizations of users (`organization_settings`).
public struct OrganizationRules: Sendable, Hashable {
    /// Whether organizations are enabled.
    public var isEnabled = false
    /// The maximum number of members of a new organization, including pending invitations; 0 for no limit.
    public var membershipLimit = 5
    /// Whether members with the permission may delete a new organization.
    public var allowsAdminDelete = true
    /// Whether organizations can choose their slugs.
    public var hasSlugs = true
    /// Whether organizations can have domains.
    public var hasDomains = false
    /// The ways in which users with an address of a domain can join.
    ///
    /// A domain can be used for an organization's own enterprise connection only if ``EnrollmentMode/enterprise`` is among them.
    public var enrollmentModes: Set<EnrollmentMode> = [.manual, .invitation, .suggestion]
    /// Whether a new session is pending until the user has chosen an organization.
    public var isSelectionForced = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// The users who may sign up (`user_settings.sign_up.mode`).
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
    /// The attribute is disabled.
    case off
    /// A user may have it.
    case optional
    /// Every user must have it.
    case required

    /// Whether the instance knows the attribute at all.
    var isEnabled: Bool { self != .off }
}

/// A method that verifies an email address.
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
    /// One of ten backup codes.
    case backupCode = "backup_code"
}

/// The rules for user names (`user_settings.username_settings`).
public struct UsernameRules: Sendable, Hashable {
    /// The minimum length.
    public var minimumLength = 4
    /// The maximum length.
    public var maximumLength = 64
    /// Whether symbols other than `_` and `-` are allowed.
    public var allowsSigns = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// The lockout of a user after failed verifications (`attack_protection.user_lockout`).
public struct LockoutRule: Sendable, Hashable {
    /// The number of failed verifications until the lockout.
    public var attempts: Int
    /// The duration of the lockout.
    public var duration: Duration

    /// Creates a lockout for `duration` after `attempts` failed verifications.
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
