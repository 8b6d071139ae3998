public import LockstepPrimitives

/// The data with which a user signs in.
///
/// The set is open: an adapter may add its own credential type together with a strategy for it.
///
/// ```swift
/// let credential = PasswordCredential(email: "ada@example.com", password: "correct horse battery staple")
/// let step = try await client.signIn(with: credential)          // or .password(email:password:)
/// ```
public protocol Credential: Sendable {
    /// The capability of an adapter that has a strategy for this type.
    static var capability: Capability { get }

    /// Returns the credential in the form that every adapter gets: without surrounding white space, and never empty.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail`, `invalidPhone` or `invalidInput`, before any request is sent.
    func normalized() throws(AuthError) -> Self

    /// The email address or phone number that identifies the account.
    ///
    /// With it, the client recognizes a repeated sign-up.
    var identifier: String? { get }
}

extension Credential {
    /// Default: `nil`.
    public var identifier: String? { nil }
}

/// The purpose of a credential.
public enum CredentialPurpose: Sendable, Hashable {
    /// Creates a new account.
    case signUp(SignUpProfile)
    /// Signs in to an account.
    case signIn
    /// Adds the credential to the user of this session, who keeps the user id.
    case link(to: Session)
    /// Renews the sign-in of this session's user, for a sensitive call.
    case reauthenticate(Session)

    /// The display name of a new user.
    public var displayName: String? { profile?.displayName }

    /// The profile of a new user; `nil` unless the purpose is a sign-up.
    public var profile: SignUpProfile? { if case .signUp(let profile) = self { profile } else { nil } }
}

/// The profile of a new user.
public struct SignUpProfile: Sendable, Hashable {
    /// The display name.
    public var displayName: String?
    /// Members of the user's own metadata (``User/metadata``); empty for none.
    public var metadata: JSONObject

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - displayName: The display name. Default: none.
    ///   - metadata: Members of the user's own metadata. Default: none.
    public init(displayName: String? = nil, metadata: JSONObject = [:]) {
        self.displayName = displayName
        self.metadata = metadata
    }
}

/// One way to sign in, sign up, link or reauthenticate: an adapter's implementation for one type of credential.
public protocol SignInStrategy<Input>: Sendable {
    /// The type of credential.
    associatedtype Input: Credential

    /// Returns whether this strategy supports a purpose.
    ///
    /// For a link or a new sign-in, it may depend on the session's user.
    ///
    /// The client rejects every other purpose before it sends a request, and screens do not offer it. Default: sign-in
    /// and sign-up.
    ///
    /// - Parameter purpose: The purpose.
    /// - Returns: Whether it is supported.
    func supports(_ purpose: CredentialPurpose) -> Bool

    /// Whether a sign-up by this strategy sends ``SignUpProfile/metadata``.
    ///
    /// The client rejects metadata for every other strategy before it sends a request. Default: no.
    var acceptsMetadata: Bool { get }

    /// Sends a credential to the backend.
    ///
    /// The credential is already normalized. Store values for a later response, such as a verifier or the id of an
    /// attempt, in `flow`, which the client keeps in the store. If the call needs several requests, store each completed
    /// part there, too.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - purpose: The purpose.
    ///   - flow: The memory of the flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(_ credential: Input, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension SignInStrategy {
    /// Default: no.
    public var acceptsMetadata: Bool { false }

    /// Default: sign-in and sign-up.
    ///
    /// - Parameter purpose: The purpose.
    /// - Returns: Whether it is supported.
    public func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn, .signUp: true
        case .link, .reauthenticate: false
        }
    }
}

/// The sign-in strategies of an adapter, by type of credential.
@resultBuilder
public struct SignInStrategies: Sendable {
    private var strategies: [any SignInStrategy] = []

    /// Returns the strategy for a type of credential.
    ///
    /// - Parameter type: The type.
    /// - Returns: The strategy; `nil` if the adapter does not support this type.
    public func strategy<C: Credential>(for type: C.Type) -> (any SignInStrategy<C>)? {
        for strategy in strategies {
            if let match = strategy as? any SignInStrategy<C> { return match }
        }
        return nil
    }

    /// The capabilities that follow from the strategies.
    public var capabilities: [Capability] { strategies.map { Self.capability(of: $0) } }

    /// The capabilities of those that take a purpose.
    func capabilities(taking purpose: CredentialPurpose) -> [Capability] {
        strategies.filter { $0.supports(purpose) }.map { Self.capability(of: $0) }
    }

    private static func capability<S: SignInStrategy>(of strategy: S) -> Capability { S.Input.capability }

    // MARK: Building

    /// Adds one strategy.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: The strategies.
    public static func buildExpression(_ strategy: some SignInStrategy) -> SignInStrategies {
        SignInStrategies(strategies: [strategy])
    }

    /// Combines the strategies of a block.
    ///
    /// - Parameter parts: The strategies.
    /// - Returns: The strategies.
    public static func buildBlock(_ parts: SignInStrategies...) -> SignInStrategies {
        SignInStrategies(strategies: parts.flatMap(\.strategies))
    }

    /// Adds the strategies of an `if` without `else`.
    ///
    /// - Parameter part: The strategies.
    /// - Returns: The strategies.
    public static func buildOptional(_ part: SignInStrategies?) -> SignInStrategies { part ?? SignInStrategies() }

    /// Adds the strategies of the first branch.
    ///
    /// - Parameter part: The strategies.
    /// - Returns: The strategies.
    public static func buildEither(first part: SignInStrategies) -> SignInStrategies { part }

    /// Adds the strategies of the second branch.
    ///
    /// - Parameter part: The strategies.
    /// - Returns: The strategies.
    public static func buildEither(second part: SignInStrategies) -> SignInStrategies { part }
}

/// An email address and a password.
public struct PasswordCredential: Credential {
    /// The email address.
    public var email: String
    /// The password, exactly as the user typed it.
    public var password: Secret

    /// Creates a credential.
    ///
    /// Nothing is checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    public init(email: String, password: Secret) {
        self.email = email
        self.password = password
    }

    /// Creates a credential and wraps the password in a `Secret`.
    ///
    /// Nothing is checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    public init(email: String, password: String) {
        self.init(email: email, password: Secret(password))
    }

    /// The capability `password`.
    public static var capability: Capability { .password }

    /// The email address.
    public var identifier: String? { email }

    /// Trims and checks the email address.
    ///
    /// The password is unchanged: only the backend checks its strength, and only when it is set.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail` or `invalidInput`.
    public func normalized() throws(AuthError) -> PasswordCredential {
        guard !password.isEmpty else {
            throw AuthError(.invalidInput, "The password is empty. Ask the user for one before calling.")
        }
        return PasswordCredential(email: try EmailAddress(email).text, password: password)
    }
}

extension Credential where Self == PasswordCredential {
    /// An email address and a password.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    /// - Returns: The credential.
    public static func password(email: String, password: Secret) -> PasswordCredential {
        PasswordCredential(email: email, password: password)
    }

    /// An email address and a password, which is wrapped in a `Secret`.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    /// - Returns: The credential.
    public static func password(email: String, password: String) -> PasswordCredential {
        PasswordCredential(email: email, password: Secret(password))
    }
}

/// A passkey, which the system's dialog finds and signs with.
///
/// The next step is `verify`. Pass its ``Challenge/passkeyOptions`` to the dialog, and respond with `.passkey` and the
/// dialog's result.
public struct PasskeyCredential: Credential {
    /// Creates a credential.
    public init() {}

    /// The capability `passkey`.
    public static var capability: Capability { .passkey }

    /// Returns the credential unchanged.
    public func normalized() throws(AuthError) -> PasskeyCredential { self }
}

extension Credential where Self == PasskeyCredential {
    /// A passkey.
    public static var passkey: PasskeyCredential { PasskeyCredential() }
}

/// A ticket from the app's own server, for one sign-in.
public struct TicketCredential: Credential {
    /// The ticket.
    public var token: Secret

    /// Creates a credential.
    ///
    /// - Parameter token: The ticket.
    public init(token: Secret) { self.token = token }

    /// The capability `ticket`.
    public static var capability: Capability { .ticket }

    /// Returns the credential unchanged.
    ///
    /// - Returns: The credential.
    /// - Throws: `invalidInput` if the ticket is empty.
    public func normalized() throws(AuthError) -> TicketCredential {
        guard !token.isEmpty else { throw AuthError(.invalidInput, "The ticket is empty.") }
        return self
    }
}

extension Credential where Self == TicketCredential {
    /// A ticket from the app's own server, for one sign-in.
    ///
    /// - Parameter token: The ticket.
    /// - Returns: The credential.
    public static func ticket(_ token: Secret) -> TicketCredential { TicketCredential(token: token) }
}

/// An anonymous sign-in.
///
/// It needs no data.
public struct AnonymousCredential: Credential {
    /// Creates a credential.
    public init() {}

    /// The capability `anonymous`.
    public static var capability: Capability { .anonymous }

    /// Returns the credential unchanged.
    public func normalized() throws(AuthError) -> AnonymousCredential { self }
}

extension Credential where Self == AnonymousCredential {
    /// An anonymous sign-in.
    public static var anonymous: AnonymousCredential { AnonymousCredential() }
}
