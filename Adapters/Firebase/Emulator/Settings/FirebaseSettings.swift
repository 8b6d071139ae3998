internal import LockstepCrypto
internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives
@_exported public import LockstepTokens

/// The settings of an emulated project.
///
/// Start with ``init(mode:)``, which has the values of Firebase's emulator or of production, and change settings as needed.
public struct FirebaseSettings: Sendable {
    /// The rules that the server follows: those of Firebase's emulator, or of production.
    public let mode: FirebaseMode
    /// The project's id, which is the The `aud` of its tokens.
    public var project = "demo-lockstep"
    /// The project's number, which the token endpoint returns.
    public var projectNumber = "12345"
    /// The API key that links carry.
    ///
    /// The server accepts any non-empty key.
    public var apiKey = "fake-api-key"
    /// Whether requests for other projects are rejected with `INVALID_PROJECT_ID`.
    ///
    /// Otherwise every requested project exists, as in Firebase's emulator without its single-project mode.
    public var refusesOtherProjects = false
    /// The enabled sign-in methods: all of them; in strict mode without passkeys, which Google enables for each project.
    public var methods: SignInMethods
    /// Whether several accounts may have one address.
    public var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration (on for production projects since September 2023).
    public var protectsEmails: Bool
    /// Whether calls with an address and a password require a token of reCAPTCHA Enterprise, in strict mode: ``captchaToken``.
    public var asksForCaptcha = false
    /// The maximum age of a sign-in for calls that require a recent one; `nil` for no limit.
    public var recentSignIn: Duration?
    /// The lifetimes of codes.
    public var lifetimes: Lifetimes
    /// The rate limits.
    public var limits = Limits.none
    /// The maximum duration of a blocking function: 7 seconds in production
    /// (https://firebase.google.com/docs/auth/extend-with-blocking-functions), a minute in Firebase's emulator.
    ///
    /// A longer duration is reduced to ten minutes.
    public var functionDeadline: Duration {
        didSet { functionDeadline = min(functionDeadline, Self.longestFunctionDeadline) }
    }

    /// As long as a function's connection may hold a request here.
    static let longestFunctionDeadline: Duration = .seconds(600)
    /// The functions emulator that is notified of created and deleted accounts: `http://127.0.0.1:5001`; `nil` for none.
    public var functionsEmulator: String?
    /// Whether a test has paused background functions: nothing is told meanwhile.
    var pausesFunctions = false
    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// Whether second factors with time-based codes can be enrolled.
    ///
    /// Firebase's emulator does not support them.
    public var allowsTimeFactors: Bool
    /// The site for which passkeys are created.
    public var passkeys = PasskeySettings()
    /// The hosts to which links may redirect.
    ///
    /// Strict mode rejects others.
    public var authorizedDomains: [String]
    /// The identity providers whose tokens strict mode accepts, by provider id in lower case, such as `apple.com`.
    public var identityProviders: [String: TrustedIssuer] = [:]
    /// The keys of the servers whose custom tokens strict mode accepts, as a JWK set; `nil` for no servers.
    public var customTokenKeys: JSON?
    /// The key that signs tokens in strict mode; `nil` creates one at the start, which takes at least a tenth of a second.
    ///
    /// Several emulators of a test run can share a key from ``makeSigningKey()``.
    public var signingKey: SigningKey?
    /// The parameters of password hashes.
    public var hashing: ScryptSettings
    /// The settings that a configuration contains.
    public internal(set) var given = GivenNames()

    /// The token that is accepted as one of reCAPTCHA Enterprise; all others are rejected.
    public static let captchaToken = "lockstep-captcha"

    /// Creates the settings of a new project.
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

    /// Creates a key for ``signingKey``: RSA with 2048 bits.
    ///
    /// - Throws: `CryptoError` if libcrypto cannot create one.
    public static func makeSigningKey() throws -> SigningKey {
        let key = try RSAPrivateKey.generate()
        return .rsa(key, id: Hex.encode(HashFunction.sha1.digest(key.publicKey.der)))
    }

    /// The configuration that administrators read when nothing was changed yet.
    var projectConfig: JSONObject {
        [
            "signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)], "blockingFunctions": [:],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(protectsEmails)],
        ]
    }
}

/// The rules that the server follows: those of Firebase's emulator, or of production.
public enum FirebaseMode: String, Sendable, CaseIterable {
    /// The rules of Firebase's own emulator: tokens are unsigned, nothing expires, and the vendor's SDKs work.
    case emulator
    /// The rules of production: signed tokens that expire, revocation, recent sign-in, verified identity tokens.
    case strict
}

/// The sign-in methods that a project has enabled.
public struct SignInMethods: OptionSet, Sendable {
    /// One bit per method.
    public let rawValue: Int

    /// Creates a set of the methods whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// E-mail address and password.
    public static let password = SignInMethods(rawValue: 1)
    /// A link by e-mail.
    public static let emailLink = SignInMethods(rawValue: 2)
    /// Guests.
    public static let anonymous = SignInMethods(rawValue: 4)
    /// A code by text message.
    public static let phone = SignInMethods(rawValue: 8)
    /// Identity providers (Google, Apple, OpenID Connect, SAML).
    public static let identityProvider = SignInMethods(rawValue: 16)
    /// A passkey.
    public static let passkey = SignInMethods(rawValue: 32)
    /// All methods.
    public static let all: SignInMethods = [.password, .emailLink, .anonymous, .phone, .identityProvider, .passkey]
}

/// The site for which passkeys are created: the relying party of WebAuthn.
public struct PasskeySettings: Sendable, Equatable {
    /// The host name, or a parent domain.
    public var relyingParty = "localhost"
    /// The pages whose responses strict mode accepts.
    public var origins = ["http://localhost:3000"]

    /// Creates settings for a page on this machine.
    public init() {}
}

/// The lifetimes of codes and unfinished sign-ins; `nil` means forever.
public struct Lifetimes: Sendable, Equatable {
    /// The lifetime of a code that resets a password.
    public var passwordReset: Duration?
    /// The lifetime of a code that verifies, changes or recovers an address.
    public var verification: Duration?
    /// The lifetime of a code that signs in.
    public var signInLink: Duration?
    /// A code by text message.
    public var textMessage: Duration?
    /// A sign-in that waits for its second factor.
    public var pendingFactor: Duration?

    /// Creates lifetimes.
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

    /// Nothing expires, as in Firebase's emulator.
    public static let endless = Lifetimes()

    /// Observed values of production.
    ///
    /// Firebase does not publish these figures.
    public static let production = Lifetimes(
        passwordReset: .seconds(3600), verification: .seconds(3 * 86_400), signInLink: .seconds(6 * 3600),
        textMessage: .seconds(600), pendingFactor: .seconds(600))
}

/// The rate limits; `nil` means no limit.
public struct Limits: Sendable, Equatable {
    /// The number of consecutive wrong passwords after which an account is locked with `TOO_MANY_ATTEMPTS_TRY_LATER`.
    public var failedSignIns: Int?
    /// The duration of such a lock.
    public var lockout: Duration
    /// The minimum time between two emails of a kind to an address (otherwise `TOO_MANY_ATTEMPTS_TRY_LATER`).
    public var mailInterval: Duration?
    /// The maximum number of new accounts per hour (then `QUOTA_EXCEEDED : Exceeded quota for sign ups.`).
    public var signUpsPerHour: Int?

    /// Creates limits.
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
/// Every project has its own.
public struct ScryptSettings: Sendable, Equatable {
    /// The signer key, 64 bytes in base 64; `nil` generates one.
    public var signerKey: String?
    /// The salt separator in base 64.
    public var saltSeparator = "Bw=="
    /// The parameter `r` of scrypt, from 1 to 8.
    public var rounds = 8
    /// The exponent of scrypt's `N`, from 1 to 14.
    ///
    /// Firebase uses 14, which takes about 50 milliseconds; 4 is sufficient for tests.
    public var memoryCost = ScryptSettings.memoryCost(.real)

    /// Creates Firebase's own parameters.
    public init() {}

    /// What the ``memoryCost`` is called; `nil` if it is between the two.
    var cost: PasswordCost? { PasswordCost.allCases.first { Self.memoryCost($0) == memoryCost } }

    /// Returns the ``memoryCost`` of Firebase's own parameters, or the minimum.
    public static func memoryCost(_ cost: PasswordCost) -> Int { cost == .real ? 14 : 1 }
}

/// An identity provider whose tokens strict mode accepts.
public struct TrustedIssuer: Sendable {
    /// The `iss` of its tokens.
    public var issuer: String
    /// The client ids of the project's apps, one of which must be the `aud`.
    public var audiences: [String]
    /// Its keys, as a JWK set.
    public var keys: JSON
    /// Whether a token without a nonce is rejected, as for Apple.
    public var needsNonce: Bool
    /// The project's client for sign-ins on the provider's pages; `nil` if there are only tokens.
    public var client: ProviderClient?

    /// Creates a provider.
    public init(issuer: String, audiences: [String], keys: JSON, needsNonce: Bool = false, client: ProviderClient? = nil) {
        self.client = client
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
        self.needsNonce = needsNonce
    }
}
