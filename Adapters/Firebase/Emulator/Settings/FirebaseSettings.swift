internal import LockstepCrypto
internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives
@_exported public import LockstepTokens

/// The settings of an emulated Firebase project.
///
/// Start with ``init(mode:)``, which has the settings of Firebase's emulator or of production. Then change settings.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.limits.failedSignIns = 5
/// let server = try FirebaseEmulator.start(settings)
/// print(server.base)
/// server.stop()
/// ```
public struct FirebaseSettings: Sendable {
    /// The mode of the server: it follows the rules of Firebase's emulator, or the rules of production.
    public let mode: FirebaseMode
    /// The project's id, which is the `aud` of its tokens.
    public var project = "demo-lockstep"
    /// The project's number, which the token endpoint returns.
    public var projectNumber = "12345"
    /// The API key that links contain.
    ///
    /// The server accepts any non-empty key.
    public var apiKey = "fake-api-key"
    /// Whether the emulator rejects requests for other projects with `INVALID_PROJECT_ID`.
    ///
    /// If the value is `false`, every project exists, as in Firebase's emulator without its single-project mode.
    public var refusesOtherProjects = false
    /// The enabled sign-in methods.
    ///
    /// By default, all methods are enabled. In strict mode, passkeys are disabled, because Google must enable them for
    /// each project.
    public var methods: SignInMethods
    /// Whether several accounts may have the same email address.
    public var allowsDuplicateEmails = false
    /// Whether the project hides which email addresses have an account.
    ///
    /// New production projects have hidden them since September 2023 ("email enumeration protection").
    public var protectsEmails: Bool
    /// Whether calls with an email address and a password require a reCAPTCHA Enterprise token in strict mode.
    ///
    /// The emulator accepts ``captchaToken``.
    public var asksForCaptcha = false
    /// The maximum age of a sign-in for calls that require a recent sign-in; `nil` for no maximum.
    public var recentSignIn: Duration?
    /// The lifetimes of codes and unfinished sign-ins.
    public var lifetimes: Lifetimes
    /// The rate limits.
    public var limits = Limits.none
    /// The time limit of a blocking function.
    ///
    /// The limit is 7 seconds in production (https://firebase.google.com/docs/auth/extend-with-blocking-functions), and
    /// a minute in Firebase's emulator. A limit of more than ten minutes is reduced to ten minutes.
    public var functionDeadline: Duration {
        didSet { functionDeadline = min(functionDeadline, Self.longestFunctionDeadline) }
    }

    /// The maximum time limit of a blocking function, for which its connection may keep a request waiting.
    static let longestFunctionDeadline: Duration = .seconds(600)
    /// The URL of the functions emulator, such as `http://127.0.0.1:5001`; `nil` for none.
    ///
    /// The emulator reports created and deleted accounts to the functions emulator.
    public var functionsEmulator: String?
    /// Whether a test has paused background functions, so that no events are sent.
    var pausesFunctions = false
    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// Whether users can add an authenticator app as a second factor.
    ///
    /// Firebase's emulator does not support authenticator apps.
    public var allowsTimeFactors: Bool
    /// The site for which passkeys are created.
    public var passkeys = PasskeySettings()
    /// The hosts to which links may redirect; strict mode rejects other hosts.
    public var authorizedDomains: [String]
    /// The identity providers whose ID tokens strict mode accepts.
    ///
    /// The key is the provider's id in lower case, such as `apple.com`.
    public var identityProviders: [String: TrustedIssuer] = [:]
    /// A JSON Web Key Set for custom tokens: in strict mode, the emulator accepts tokens that one of these keys has
    /// signed; `nil` to accept none.
    public var customTokenKeys: JSON?
    /// The key that signs tokens in strict mode; `nil` to create a key at the start.
    ///
    /// Creating a key takes at least a tenth of a second. Several emulators of a test run can share a key from
    /// ``makeSigningKey()``.
    public var signingKey: SigningKey?
    /// The parameters of the project's password hashes.
    public var hashing: ScryptSettings
    /// The names of the settings that the configuration sets.
    public internal(set) var given = GivenNames()

    /// The only reCAPTCHA Enterprise token that the emulator accepts.
    public static let captchaToken = "lockstep-captcha"

    /// Creates the settings of a new project.
    ///
    /// - Parameter mode: The rules that the server follows. Default: the settings of Firebase's emulator.
    public init(mode: FirebaseMode = .emulator) {
        self.mode = mode
        let isStrict = mode == .strict
        methods = isStrict ? SignInMethods.all.subtracting(.passkey) : .all
        protectsEmails = isStrict
        recentSignIn = isStrict ? .seconds(300) : nil
        lifetimes = isStrict ? .production : .endless
        functionDeadline = .seconds(isStrict ? 7 : 60)
        allowsTimeFactors = isStrict
        authorizedDomains = isStrict ? ["localhost", "127.0.0.1"] : ["localhost"]
        hashing = ScryptSettings()
    }

    /// Creates an RSA key with 2048 bits for ``signingKey``.
    ///
    /// - Throws: `CryptoError` if libcrypto cannot create a key.
    public static func makeSigningKey() throws -> SigningKey {
        let key = try RSAPrivateKey.generate()
        return .rsa(key, id: Hex.encode(HashFunction.sha1.digest(key.publicKey.der)))
    }

    /// The configuration that administrators read before any change.
    var projectConfig: JSONObject {
        [
            "signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)], "blockingFunctions": [:],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(protectsEmails)],
        ]
    }
}

/// The mode of the server: it follows the rules of Firebase's emulator, or the rules of production.
public enum FirebaseMode: String, Sendable, CaseIterable {
    /// The rules of Firebase's own emulator: tokens have no signature, and nothing expires.
    ///
    /// The vendor's SDKs work in this mode.
    case emulator
    /// The rules of production: tokens have a signature, expire and can be revoked.
    ///
    /// Sensitive calls require a recent sign-in, and the emulator verifies ID tokens of identity providers.
    case strict
}

/// The sign-in methods that a project has enabled.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.methods.remove(.anonymous)
/// ```
public struct SignInMethods: OptionSet, Sendable {
    /// The bits of the set, one for each method.
    public let rawValue: Int

    /// Creates a set from bits, one for each method.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Sign-in with an email address and a password.
    public static let password = SignInMethods(rawValue: 1)
    /// Sign-in with a link by email.
    public static let emailLink = SignInMethods(rawValue: 2)
    /// Anonymous sign-in.
    public static let anonymous = SignInMethods(rawValue: 4)
    /// Sign-in with a code by SMS.
    public static let phone = SignInMethods(rawValue: 8)
    /// Sign-in with an identity provider (Google, Apple, OpenID Connect, SAML).
    public static let identityProvider = SignInMethods(rawValue: 16)
    /// Sign-in with a passkey.
    public static let passkey = SignInMethods(rawValue: 32)
    /// All methods.
    public static let all: SignInMethods = [.password, .emailLink, .anonymous, .phone, .identityProvider, .passkey]
}

/// The site for which passkeys are created: the relying party of WebAuthn.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.passkeys.origins = ["http://localhost:5173"]
/// ```
public struct PasskeySettings: Sendable, Equatable {
    /// The host name of the site, or a parent domain.
    public var relyingParty = "localhost"
    /// The origins of the web pages whose passkeys strict mode accepts.
    ///
    /// Strict mode also accepts those of native apps, whose origin is `https://` and ``relyingParty``.
    public var origins = ["http://localhost:3000"]

    /// Creates settings for a web page on this machine.
    public init() {}
}

/// The lifetimes of codes and unfinished sign-ins; `nil` if a code never expires.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.lifetimes.textMessage = .seconds(60)
/// ```
public struct Lifetimes: Sendable, Equatable {
    /// The lifetime of a code that resets a password.
    public var passwordReset: Duration?
    /// The lifetime of a code that verifies, changes or recovers an email address.
    public var verification: Duration?
    /// The lifetime of a sign-in link.
    public var signInLink: Duration?
    /// The lifetime of a code by SMS.
    public var textMessage: Duration?
    /// The lifetime of a sign-in that waits for its second factor.
    public var pendingFactor: Duration?

    /// Creates lifetimes; each default is `nil`, which means no expiry.
    ///
    /// - Parameters:
    ///   - passwordReset: The lifetime of a code that resets a password.
    ///   - verification: The lifetime of a code that verifies, changes or recovers an email address.
    ///   - textMessage: The lifetime of a code by SMS.
    ///   - pendingFactor: The lifetime of a sign-in that waits for its second factor.
    public init(
        passwordReset: Duration? = nil, verification: Duration? = nil, signInLink: Duration? = nil, textMessage: Duration? = nil,
        pendingFactor: Duration? = nil
    ) {
        self.passwordReset = passwordReset
        self.verification = verification
        self.signInLink = signInLink
        self.textMessage = textMessage
        self.pendingFactor = pendingFactor
    }

    /// The lifetimes of Firebase's emulator, in which nothing expires.
    public static let endless = Lifetimes()

    /// The lifetimes of production, as developers have observed them; Firebase does not publish these lifetimes.
    public static let production = Lifetimes(
        passwordReset: .seconds(3600), verification: .seconds(3 * 86_400), signInLink: .seconds(6 * 3600),
        textMessage: .seconds(600), pendingFactor: .seconds(600))
}

/// The rate limits; `nil` means no limit.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.limits = Limits(failedSignIns: 5, lockout: .seconds(60))
/// ```
public struct Limits: Sendable, Equatable {
    /// The number of consecutive wrong passwords that locks an account.
    ///
    /// A sign-in then fails with `TOO_MANY_ATTEMPTS_TRY_LATER`.
    public var failedSignIns: Int?
    /// The time for which an account is locked.
    public var lockout: Duration
    /// The minimum time between two emails of the same kind to the same address.
    ///
    /// A request within this time fails with `TOO_MANY_ATTEMPTS_TRY_LATER`.
    public var mailInterval: Duration?
    /// The maximum number of new accounts per hour.
    ///
    /// A further sign-up fails with `QUOTA_EXCEEDED : Exceeded quota for sign ups.`
    public var signUpsPerHour: Int?

    /// Creates limits; by default, nothing is limited.
    ///
    /// - Parameters:
    ///   - failedSignIns: The number of consecutive wrong passwords that locks an account.
    ///   - lockout: The time for which an account is locked. Default: 15 minutes.
    ///   - mailInterval: The minimum time between two emails of the same kind to the same address.
    ///   - signUpsPerHour: The maximum number of new accounts per hour.
    public init(
        failedSignIns: Int? = nil, lockout: Duration = .seconds(900), mailInterval: Duration? = nil, signUpsPerHour: Int? = nil
    ) {
        self.failedSignIns = failedSignIns
        self.lockout = lockout
        self.mailInterval = mailInterval
        self.signUpsPerHour = signUpsPerHour
    }

    /// No limits.
    public static let none = Limits()
}

/// The parameters of Firebase's own password hash (https://github.com/firebase/scrypt).
///
/// Each project has its own parameters.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.hashing.memoryCost = 4              // fast hashes for tests
/// ```
public struct ScryptSettings: Sendable, Equatable {
    /// The signer key, 64 bytes in base64; `nil` to generate one.
    public var signerKey: String?
    /// The salt separator, in base64.
    public var saltSeparator = "Bw=="
    /// The parameter `r` of scrypt, from 1 to 8.
    public var rounds = 8
    /// The exponent of scrypt's `N`, from 1 to 14.
    ///
    /// Firebase uses 14. A hash then takes about 50 ms. For tests, 4 is sufficient.
    public var memoryCost = ScryptSettings.memoryCost(.real)

    /// Creates Firebase's own parameters.
    public init() {}

    /// The name of the ``memoryCost``; `nil` if it is neither Firebase's nor the minimum.
    var cost: PasswordCost? { PasswordCost.allCases.first { Self.memoryCost($0) == memoryCost } }

    /// Returns the ``memoryCost`` for the given cost of password hashes.
    ///
    /// - Parameter cost: The cost: `real` for Firebase's own parameters, `least` for the minimum.
    public static func memoryCost(_ cost: PasswordCost) -> Int { cost == .real ? 14 : 1 }
}

/// An identity provider whose ID tokens strict mode accepts.
///
/// ```swift
/// var settings = FirebaseSettings(mode: .strict)
/// settings.identityProviders["apple.com"] = TrustedIssuer(
///     issuer: "https://appleid.apple.com", audiences: ["com.example.app"], keys: ["keys": []], needsNonce: true)
/// ```
public struct TrustedIssuer: Sendable {
    /// The `iss` of the provider's ID tokens.
    public var issuer: String
    /// The client ids of the project's apps; the `aud` of an ID token must be one of them.
    public var audiences: [String]
    /// The provider's public keys, as a JSON Web Key Set.
    public var keys: JSON
    /// Whether the emulator rejects an ID token without a nonce, as Firebase does for Apple.
    public var needsNonce: Bool
    /// The project's client for sign-ins on the provider's pages; `nil` if users sign in only with ID tokens.
    public var client: ProviderClient?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - issuer: The `iss` of the provider's ID tokens.
    ///   - audiences: The client ids of the project's apps.
    ///   - keys: The provider's public keys, as a JSON Web Key Set.
    ///   - needsNonce: Whether the emulator rejects an ID token without a nonce. Default: `false`.
    ///   - client: The project's client for sign-ins on the provider's pages. Default: none.
    public init(issuer: String, audiences: [String], keys: JSON, needsNonce: Bool = false, client: ProviderClient? = nil) {
        self.client = client
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
        self.needsNonce = needsNonce
    }
}
