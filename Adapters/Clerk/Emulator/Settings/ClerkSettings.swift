internal import LockstepEmulation

/// The settings of an emulated Clerk instance, as in Clerk's dashboard.
///
/// The defaults are the same as in a development instance. Users sign up with an email address and a password, and
/// verify the address with a code. Limits that would slow down tests are off.
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.asksNewClients = true
/// let server = try ClerkEmulator.start(settings)
/// print(server.base)
/// server.stop()
/// ```
public struct ClerkSettings: Sendable, Hashable {
    /// The name of the application in messages and in the instance's environment.
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
    /// The methods that let a user sign in with only an email address; may be empty.
    public var emailSignIn: Set<EmailProof> = [.code, .link]
    /// Whether a user must verify the email address to complete a sign-up.
    public var verifiesEmailAtSignUp = true
    /// Whether a user must verify the phone number to complete a sign-up.
    public var verifiesPhoneAtSignUp = true
    /// Whether a user can sign in with a code by SMS.
    public var signsInByPhoneCode = true
    /// Whether a user can sign in with a password.
    public var signsInByPassword = true
    /// The second factors that users can set up.
    public var secondFactors: Set<SecondFactor> = [.totp, .phoneCode, .backupCode]
    /// The identity providers with which users can sign in, by redirect or with an ID token.
    public var providers: [IdentityProvider] = []

    /// The users who may sign up.
    public var signUpMode = SignUpMode.open
    /// Whether a user must accept the terms at sign-up.
    public var requiresLegalConsent = false
    /// Whether a sign-up requires a captcha ("Bot sign-up protection").
    ///
    /// The emulator accepts only Turnstile's test token.
    public var asksForCaptcha = false
    /// Whether a client can have only one session at a time.
    public var isSingleSession = false
    /// Whether the API for native apps is enabled.
    public var allowsNativeAPI = true
    /// Whether the code 424242 is valid for test addresses and test numbers.
    public var isTestMode = true
    /// Whether a password sign-in on a new client requires a second verification (`needs_client_trust`).
    public var asksNewClients = false
    /// Whether a sensitive call requires a verification within the last ten minutes.
    public var asksAgain = false
    /// Whether users can delete their own accounts.
    public var allowsDeletingSelf = true
    /// Whether the instance hides which identifiers have an account.
    ///
    /// If so, the instance returns the same response for a wrong password and for an unknown identifier.
    public var hidesAccounts = false
    /// Whether a user must open an email link on the client that requested it.
    public var bindsLinksToClient = false
    /// Whether the response for an unfinished sign-in contains no names and pictures.
    public var hidesPersonalData = true
    /// Whether a user with a second factor must also complete it after a sign-in with a ticket.
    public var asksSecondFactorAfterTicket = false

    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// The rules for user names.
    public var usernameRules = UsernameRules()
    /// The rule for the lockout of a user after failed verifications; `nil` for none.
    public var lockout: LockoutRule? = LockoutRule()
    /// The number of wrong codes after which a verification fails permanently.
    public var attemptsPerVerification = 3
    /// The minimum time between two messages of a verification; `nil` for no minimum.
    ///
    /// Clerk's own servers require 30 seconds.
    public var resendInterval: Duration?
    /// Whether Clerk's rate limits apply.
    ///
    /// In 10 seconds, an IP address can start 5 attempts and send 3 verifications, and the servers of the instance can send
    /// ``backendRateLimit`` requests to the Backend API.
    public var limitsRates = false
    /// The number of requests to the Backend API in 10 seconds, if ``limitsRates`` is on.
    ///
    /// A development instance allows 100, and a production instance 1,000.
    public var backendRateLimit = 100
    /// The maximum number of users; `nil` for no limit.
    ///
    /// A development instance of Clerk allows 500 users.
    public var userLimit: Int?

    /// The URL to which the emulator sends webhook events; `nil` for none.
    ///
    /// The URL must use plain `http://` and be on this machine.
    public var webhookURL: String?
    /// The secret that signs webhook events, `whsec_…`; `nil` to generate one.
    public var webhookSecret: Secret?
    /// The secret key of the Backend API, `sk_test_…`; `nil` to generate one.
    public var secretKey: Secret?
    /// The restrictions for sign-ups.
    public var restrictions = RestrictionRules()
    /// The settings of passkeys.
    public var passkeys = PasskeyRules()
    /// The settings of organizations.
    public var organizations = OrganizationRules()
    /// The settings of enterprise connections.
    public var enterprise = EnterpriseRules()

    /// The lifetime of codes.
    public var codeLifetime = Duration.seconds(600)
    /// The lifetime of email links.
    public var linkLifetime = Duration.seconds(600)
    /// The lifetime of an unfinished sign-in or sign-up.
    public var attemptLifetime = Duration.seconds(24 * 3600)
    /// The maximum lifetime of a session.
    public var sessionLifetime = Duration.seconds(7 * 24 * 3600)
    /// The lifetime of an unused session.
    public var sessionInactivity = Duration.seconds(30 * 24 * 3600)
    /// The lifetime of a session token.
    public var tokenLifetime = Duration.seconds(60)
    /// The time for which a replaced client token is still valid.
    public var clientTokenGrace = Duration.seconds(600)
    /// Whether new bcrypt hashes have the minimum cost, which makes tests fast.
    ///
    /// Clerk itself uses the cost 10, and such a hash takes about 50 ms.
    public var usesCheapHashes = false

    /// The settings that a file contains.
    public internal(set) var given = GivenNames()

    /// Creates the settings of a development instance.
    public init() {}
}

/// The restrictions for sign-ups (`user_settings.restrictions`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.restrictions.hasBlocklist = true
/// ```
public struct RestrictionRules: Sendable, Hashable {
    /// Whether only identifiers in the allowlist may sign up.
    public var hasAllowlist = false
    /// Whether identifiers in the blocklist may not sign up.
    public var hasBlocklist = false
    /// Whether a sign-in ignores the allowlist and the blocklist.
    public var ignoresListsAtSignIn = false
    /// Whether the instance rejects new email addresses with `+`, `#` or `=`.
    ///
    /// The instance also rejects a Gmail address if it differs from a user's address only by dots.
    public var refusesSubaddresses = false
    /// Whether the instance rejects addresses of disposable email services.
    ///
    /// The emulator stores the value, but has no list of such services.
    public var refusesDisposableDomains = false
    /// The two-letter codes of the countries to which the instance sends no SMS.
    ///
    /// The emulator stores the value, but does not enforce it.
    public var blockedCountries: [String] = []
    /// Whether Clerk's own rules against bots are on.
    ///
    /// The emulator stores the value, but does not enforce it.
    public var hasProtectRules = false
    /// Whether Clerk checks devices.
    ///
    /// The emulator stores the value, but does not enforce it.
    public var hasSpecter = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// The settings of passkeys (`user_settings.attributes.passkey`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.passkeys.isEnabled = true
/// settings.passkeys.origins = ["http://localhost:5173"]
/// ```
public struct PasskeyRules: Sendable, Hashable {
    /// Whether users can add passkeys and sign in with them.
    public var isEnabled = false
    /// The host for which passkeys are created, or a parent domain of that host.
    ///
    /// Browsers do not accept an IP address.
    public var relyingParty = "localhost"
    /// The origins of the web pages that can use passkeys.
    ///
    /// Native apps, whose origin is `https://` and ``relyingParty``, can always use them.
    public var origins = ["http://localhost:3000"]

    /// Creates settings for a web page on this machine.
    public init() {}
}

/// The settings of organizations (`organization_settings`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.organizations.isEnabled = true
/// settings.organizations.membershipLimit = 0
/// ```
public struct OrganizationRules: Sendable, Hashable {
    /// Whether the instance has organizations.
    public var isEnabled = false
    /// The maximum number of members of a new organization, including pending invitations; 0 for no limit.
    public var membershipLimit = 5
    /// Whether members with the required permission may delete a new organization.
    public var allowsAdminDelete = true
    /// Whether an organization can choose its slug, the short name in URLs.
    public var hasSlugs = true
    /// Whether organizations can have domains.
    public var hasDomains = false
    /// The ways in which users can join an organization if their email address belongs to its domain.
    ///
    /// An organization can use a domain for its own enterprise connection only if the set contains
    /// ``EnrollmentMode/enterprise``.
    public var enrollmentModes: Set<EnrollmentMode> = [.manual, .invitation, .suggestion]
    /// Whether a new session is pending until the user has chosen an organization.
    public var isSelectionForced = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// The users who may sign up (`user_settings.sign_up.mode`).
public enum SignUpMode: String, Sendable, Hashable, CaseIterable {
    /// Everyone may sign up.
    case open = "public"
    /// Only a person who has an invitation may sign up.
    case restricted
    /// Only a person who was admitted from the waitlist may sign up.
    case waitlist
}

/// The requirement that users have an attribute, such as an email address.
public enum Requirement: String, Sendable, Hashable, CaseIterable {
    /// Users do not have the attribute.
    case off
    /// A user may have the attribute.
    case optional
    /// Every user must have the attribute.
    case required

    /// Whether users can have the attribute.
    var isEnabled: Bool { self != .off }
}

/// A method that verifies an email address.
public enum EmailProof: String, Sendable, Hashable, CaseIterable {
    /// A code of six digits.
    case code = "email_code"
    /// A link that the user opens while the app waits for the result.
    case link = "email_link"
}

/// A second factor that users can add.
public enum SecondFactor: String, Sendable, Hashable, CaseIterable {
    /// An authenticator app.
    case totp
    /// A code by SMS to a phone number that is reserved for the second factor.
    case phoneCode = "phone_code"
    /// A backup code; each user has ten.
    case backupCode = "backup_code"
}

/// The rules for user names (`user_settings.username_settings`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.usernameRules.minimumLength = 3
/// ```
public struct UsernameRules: Sendable, Hashable {
    /// The minimum length of a user name.
    public var minimumLength = 4
    /// The maximum length of a user name.
    public var maximumLength = 64
    /// Whether a user name may contain symbols other than `_` and `-`.
    public var allowsSigns = false

    /// Creates Clerk's default rules.
    public init() {}
}

/// The lockout of a user after failed verifications (`attack_protection.user_lockout`).
///
/// ```swift
/// var settings = ClerkSettings()
/// settings.lockout = LockoutRule(attempts: 5, duration: .seconds(60))
/// ```
public struct LockoutRule: Sendable, Hashable {
    /// The number of failed verifications until the lockout.
    public var attempts: Int
    /// The duration of the lockout.
    public var duration: Duration

    /// Creates a lockout rule.
    ///
    /// - Parameters:
    ///   - attempts: The number of failed verifications until the lockout. Default: 100.
    ///   - duration: The duration of the lockout. Default: an hour.
    public init(attempts: Int = 100, duration: Duration = .seconds(3600)) {
        self.attempts = attempts
        self.duration = duration
    }
}

/// Values that are derived from the settings, by their names in the API.
extension ClerkSettings {
    /// The attributes that can identify a user, in Clerk's order.
    var identifierNames: [String] {
        [("email_address", emailAddress), ("phone_number", phoneNumber), ("username", username)].filter(\.1.isEnabled).map(\.0)
    }

    /// Returns whether users have the attribute with a name.
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

    /// Returns the provider of a strategy such as `oauth_apple` or `oauth_token_apple`, if it is known here.
    func provider(ofStrategy strategy: String, withPrefix prefix: String) -> IdentityProvider? {
        guard strategy.hasPrefix(prefix) else { return nil }
        let name = strategy.dropFirst(prefix.count)
        return providers.first { $0.name == name }
    }
}
