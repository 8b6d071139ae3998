internal import LockstepCrypto
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
    /// The enabled sign-in methods.
    public var methods = SignInMethods.all
    /// Whether several accounts may have one address.
    public var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration (on for production projects since September 2023).
    public var protectsEmails: Bool
    /// The maximum age of a sign-in for calls that need a recent one; `nil` means no limit.
    public var recentSignIn: Duration?
    /// The lifetimes of codes.
    public var lifetimes: Lifetimes
    /// The rate limits.
    public var limits = Limits.none
    /// The rules for new passwords.
    public var passwordPolicy = PasswordPolicy()
    /// Whether second factors by time-based codes may be enrolled; Firebase's emulator has none.
    public var allowsTimeFactors: Bool
    /// Hosts that links may lead to; strict mode refuses others.
    public var authorizedDomains: [String]
    /// The identity providers whose tokens strict mode takes, by provider id: `apple.com`.
    public var identityProviders: [String: TrustedIssuer] = [:]
    /// The keys of the servers whose custom tokens strict mode takes, as a JWK set; without keys it takes none.
    public var customTokenKeys: JSON?
    /// The key that signs tokens in strict mode; `nil` creates one at the start, which takes a tenth of a second or more.
    ///
    /// Many emulators of one test run can share a key of ``makeSigningKey()``.
    public var signingKey: SigningKey?
    /// How passwords are hashed.
    public var hashing: ScryptSettings

    /// The settings of a fresh project.
    public init(mode: FirebaseMode = .emulator) {
        self.mode = mode
        let isStrict = mode == .strict
        protectsEmails = isStrict
        recentSignIn = isStrict ? .seconds(300) : nil
        lifetimes = isStrict ? .production : .endless
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
