internal import LockstepCrypto
public import LockstepPrimitives
@_exported public import LockstepTokens

/// What an emulated project is like.
///
/// Start from ``init(mode:)``, whose values are those of Firebase's emulator or of production, and change what should differ.
public struct FirebaseSettings: Sendable {
    /// Whose rules the server keeps.
    public let mode: FirebaseMode
    /// The project's id: `aud` of its tokens.
    public var project = "demo-lockstep"
    /// The project's number, as the token endpoint tells it.
    public var projectNumber = "12345"
    /// The API key that links carry.
    ///
    /// Any key that is not empty is taken.
    public var apiKey = "fake-api-key"
    /// What is switched on.
    public var methods = SignInMethods.all
    /// Whether several accounts may have one address.
    public var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration (on for production projects since September 2023).
    public var protectsEmails: Bool
    /// How old a sign-in may be for what needs a recent one; `nil` never asks.
    public var recentSignIn: Duration?
    /// How long codes are good for.
    public var lifetimes: Lifetimes
    /// What comes too often.
    public var limits = Limits.none
    /// What a new password must have.
    public var passwordPolicy = PasswordPolicy()
    /// Whether second factors by time-based codes may be enrolled; Firebase's emulator has none.
    public var allowsTimeFactors: Bool
    /// Hosts that links may go on to; strict mode refuses others.
    public var authorizedDomains: [String]
    /// The identity providers whose tokens strict mode takes, by provider id: `apple.com`.
    public var identityProviders: [String: TrustedIssuer] = [:]
    /// The keys of the servers whose custom tokens strict mode takes, as a JWK set; without keys it takes none.
    public var customTokenKeys: JSON?
    /// What signs tokens in strict mode; `nil` makes a key at the start, which takes a tenth of a second or more.
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
