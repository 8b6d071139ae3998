internal import LockstepCrypto
internal import LockstepEmulation
@_exported public import LockstepPasswords
public import LockstepPrimitives
@_exported public import LockstepTokens

/// The settings of an emulated project.
///
/// Start from ``init(mode:)``, whose values are those of Firebase's emulator or of production, and change what should differ.
public struct FirebaseSettings: Sendable {
    /// The rules that the server follows: Firebase's emulator's or production's.
    public let mode: FirebaseMode
    /// The project's id: `aud` of its tokens.
    public var project = "demo-lockstep"
    /// The project's number, which the token endpoint returns.
    public var projectNumber = "12345"
    /// The API key that links carry.
    ///
    /// The server accepts any non-empty key.
    public var apiKey = "fake-api-key"
    /// Whether requests for other projects are rejected: `INVALID_PROJECT_ID`.
    ///
    /// Otherwise every project that a request names exists, as in Firebase's emulator outside of its single project mode.
    public var refusesOtherProjects = false
    /// The enabled sign-in methods: everything, in strict mode but for passkeys, which Google switches on project by project.
    public var methods: SignInMethods
    /// Whether several accounts may have one address.
    public var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration (on for production projects since September 2023).
    public var protectsEmails: Bool
    /// Whether what users do by address and password wants a token of reCAPTCHA Enterprise, in strict mode: ``captchaToken``.
    public var asksForCaptcha = false
    /// The maximum age of a sign-in for calls that need a recent one; `nil` means no limit.
    public var recentSignIn: Duration?
    /// The lifetimes of codes.
    public var lifetimes: Lifetimes
    /// The rate limits.
    public var limits = Limits.none
    /// How long a blocking function may take to answer: 7 seconds in production
    /// (https://firebase.google.com/docs/auth/extend-with-blocking-functions), a minute in Firebase's emulator.
    ///
    /// Ten minutes at most: a longer one is set to that.
    public var functionDeadline: Duration {
        didSet { functionDeadline = min(functionDeadline, Self.longestFunctionDeadline) }
    }

    /// As long as a function's connection may hold a request here.
    static let longestFunctionDeadline: Duration = .seconds(600)
    /// The functions emulator that is told of accounts which are created and deleted: `http://127.0.0.1:5001`; `nil` for none.
    public var functionsEmulator: String?
    /// Whether a test has paused background functions: nothing is told meanwhile.
    var pausesFunctions = false
    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// Whether second factors by time-based codes may be enrolled; Firebase's emulator has none.
    public var allowsTimeFactors: Bool
    /// The site that passkeys are made for.
    public var passkeys = PasskeySettings()
    /// Hosts that links may lead to; strict mode rejects others.
    public var authorizedDomains: [String]
    /// The identity providers whose tokens strict mode takes, by provider id in lower case: `apple.com`.
    public var identityProviders: [String: TrustedIssuer] = [:]
    /// The keys of the servers whose custom tokens strict mode takes, as a JWK set; without keys it takes none.
    public var customTokenKeys: JSON?
    /// The key that signs tokens in strict mode; `nil` creates one at the start, which takes a tenth of a second or more.
    ///
    /// Many emulators of one test run can share a key of ``makeSigningKey()``.
    public var signingKey: SigningKey?
    /// How passwords are hashed.
    public var hashing: ScryptSettings
    /// The settings that a configuration has.
    public internal(set) var given = GivenNames()

    /// The token that passes for one of reCAPTCHA Enterprise; every other is rejected.
    public static let captchaToken = "lockstep-captcha"

    /// The settings of a fresh project.
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

    /// A new key for ``signingKey``: RSA of 2048 bits.
    ///
    /// - Throws: `CryptoError` where libcrypto cannot make one.
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

/// The rules that the server follows: Firebase's emulator's or production's.
public enum FirebaseMode: String, Sendable, CaseIterable {
    /// Those of Firebase's own emulator: unsigned tokens, nothing expires, the vendors' SDKs are satisfied.
    case emulator
    /// Those of production: signed tokens that expire, revocation, recent sign-in, verified identity tokens.
    case strict
}

/// The ways to sign in that a project has switched on.
public struct SignInMethods: OptionSet, Sendable {
    /// One bit a way.
    public let rawValue: Int

    /// The ways whose bits are set.
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
    /// Everything.
    public static let all: SignInMethods = [.password, .emailLink, .anonymous, .phone, .identityProvider, .passkey]
}

/// The site that passkeys are made for: the relying party of WebAuthn.
public struct PasskeySettings: Sendable, Equatable {
    /// The host's name, or a domain above it.
    public var relyingParty = "localhost"
    /// The pages whose responses strict mode takes.
    public var origins = ["http://localhost:3000"]

    /// A page on this machine.
    public init() {}
}

/// The lifetimes of codes and unfinished sign-ins; `nil` means forever.
public struct Lifetimes: Sendable, Equatable {
    /// A code that resets a password.
    public var passwordReset: Duration?
    /// A code that verifies, changes or recovers an address.
    public var verification: Duration?
    /// A code that signs in.
    public var signInLink: Duration?
    /// A code by text message.
    public var textMessage: Duration?
    /// A sign-in that waits for its second factor.
    public var pendingFactor: Duration?

    /// Custom lifetimes.
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

    /// Values reported of production: Firebase publishes no figures for any of these.
    public static let production = Lifetimes(
        passwordReset: .seconds(3600), verification: .seconds(3 * 86_400), signInLink: .seconds(6 * 3600),
        textMessage: .seconds(600), pendingFactor: .seconds(600))
}

/// The rate limits; `nil` means no limit.
public struct Limits: Sendable, Equatable {
    /// Wrong passwords for one account, in a row, before it is locked with `TOO_MANY_ATTEMPTS_TRY_LATER`.
    public var failedSignIns: Int?
    /// How long such an account stays locked.
    public var lockout: Duration
    /// The time that must pass between two emails of a kind to one address (`TOO_MANY_ATTEMPTS_TRY_LATER` before).
    public var mailInterval: Duration?
    /// New accounts in an hour (`QUOTA_EXCEEDED : Exceeded quota for sign ups.` after them).
    public var signUpsPerHour: Int?

    /// Custom limits.
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

/// The parameters of Firebase's own password hash (https://github.com/firebase/scrypt), which every project has its own of.
public struct ScryptSettings: Sendable, Equatable {
    /// The signer key, 64 bytes in base 64; `nil` generates one.
    public var signerKey: String?
    /// The salt separator in base 64.
    public var saltSeparator = "Bw=="
    /// `r` of scrypt, 1 to 8.
    public var rounds = 8
    /// The exponent of `N` of scrypt, 1 to 14: 14 is Firebase's, and takes some 50 milliseconds; tests are well served by 4.
    public var memoryCost = ScryptSettings.memoryCost(.real)

    /// Firebase's own figures.
    public init() {}

    /// What the ``memoryCost`` is called; `nil` if it is between the two.
    var cost: PasswordCost? { PasswordCost.allCases.first { Self.memoryCost($0) == memoryCost } }

    /// The ``memoryCost`` of Firebase's own figures, and the least.
    public static func memoryCost(_ cost: PasswordCost) -> Int { cost == .real ? 14 : 1 }
}

/// An identity provider whose tokens strict mode accepts.
public struct TrustedIssuer: Sendable {
    /// `iss` of its tokens.
    public var issuer: String
    /// The client ids of the project's apps there: `aud` must be one of them.
    public var audiences: [String]
    /// Its keys, as a JWK set.
    public var keys: JSON
    /// Whether a token without a nonce is rejected, as Apple's are.
    public var needsNonce: Bool
    /// The project's client there, for sign-ins through the provider's pages; `nil` if there are only tokens.
    public var client: ProviderClient?

    /// A provider by its parts.
    public init(issuer: String, audiences: [String], keys: JSON, needsNonce: Bool = false, client: ProviderClient? = nil) {
        self.client = client
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
        self.needsNonce = needsNonce
    }
}
