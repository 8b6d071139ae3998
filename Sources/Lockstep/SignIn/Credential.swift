public import LockstepPrimitives

/// The data that a user signs in with, such as an email address and a password.
///
/// An adapter can add its own type of credential together with a strategy for it.
///
/// ```swift
/// let credential = PasswordCredential(email: "ada@example.com", password: "correct horse battery staple")
/// let step = try await client.signIn(with: credential)          // or .password(email:password:)
/// ```
public protocol Credential: Sendable {
    /// The capability that an adapter has if it supports this type of credential.
    static var capability: Capability { get }

    /// Checks the credential and normalizes it.
    ///
    /// Adapters get only normalized credentials: no value is empty, or has spaces at its start or end.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail`, `invalidPhone` or `invalidInput`, before any request is sent.
    func normalized() throws(AuthError) -> Self

    /// The email address or phone number that identifies the account.
    ///
    /// The client uses it to recognize a repeated sign-up.
    var identifier: String? { get }
}

extension Credential {
    /// Default: `nil`.
    ///
    /// The credential has no identifier.
    public var identifier: String? { nil }
}

/// The purpose for which the client uses a credential.
public enum CredentialPurpose: Sendable, Hashable {
    /// The credential creates a new account.
    case signUp(SignUpProfile)
    /// The credential signs in to an account.
    case signIn
    /// The credential becomes another way to sign in for the user of this session.
    ///
    /// The user id stays the same.
    case link(to: Session)
    /// The credential signs the user of this session in again, for a sensitive call.
    case reauthenticate(Session)

    /// The display name of a new user; `nil` unless the purpose is a sign-up.
    public var displayName: String? { profile?.displayName }

    /// The profile of a new user; `nil` unless the purpose is a sign-up.
    public var profile: SignUpProfile? { if case .signUp(let profile) = self { profile } else { nil } }
}

/// The profile of a new user.
public struct SignUpProfile: Sendable, Hashable {
    /// The display name.
    public var displayName: String?
    /// Members of the user's own metadata (``User/metadata``); empty if the user has no metadata.
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

/// An adapter's implementation of the sign-in with one type of credential.
///
/// The strategy may also sign up, link the credential to a user, and sign a user in again.
public protocol SignInStrategy<Input>: Sendable {
    /// The type of credential.
    associatedtype Input: Credential

    /// Returns whether this strategy supports a purpose.
    ///
    /// If the purpose is to link a credential or to sign in again, the result may depend on the user of the session.
    /// The client rejects every other purpose before it sends a request, and screens do not offer it. Default: sign-in
    /// and sign-up.
    ///
    /// - Parameter purpose: The purpose.
    /// - Returns: Whether the strategy supports the purpose.
    func supports(_ purpose: CredentialPurpose) -> Bool

    /// Whether this strategy sends ``SignUpProfile/metadata`` with a sign-up.
    ///
    /// If it is `false`, the client rejects a sign-up with metadata before it sends a request. Default: `false`.
    var acceptsMetadata: Bool { get }

    /// Sends a credential to the backend.
    ///
    /// The credential is already normalized. If a later response needs a value, such as a verifier or the id of an
    /// attempt, store the value in `flow`. The client keeps `flow` in the store. If the call needs several requests,
    /// mark each completed part in `flow`, too.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - purpose: The purpose.
    ///   - flow: The memory of the flow.
    /// - Returns: The session, or the next step.
    /// - Throws: An `AuthError` of the adapter's error table.
    func begin(_ credential: Input, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError) -> AuthStep
}

extension SignInStrategy {
    /// Default: `false`.
    ///
    /// The strategy does not send metadata.
    public var acceptsMetadata: Bool { false }

    /// Default: supports sign-in and sign-up.
    ///
    /// - Parameter purpose: The purpose.
    /// - Returns: Whether the strategy supports the purpose.
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

    /// The capabilities that an adapter has because of these strategies.
    public var capabilities: [Capability] { strategies.map { Self.capability(of: $0) } }

    /// Returns the capabilities of the strategies that support a purpose.
    func capabilities(for purpose: CredentialPurpose) -> [Capability] {
        strategies.filter { $0.supports(purpose) }.map { Self.capability(of: $0) }
    }

    private static func capability<S: SignInStrategy>(of strategy: S) -> Capability { S.Input.capability }

    // MARK: Building

    /// Returns a list that contains one strategy.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: A list with this strategy.
    public static func buildExpression(_ strategy: some SignInStrategy) -> SignInStrategies {
        SignInStrategies(strategies: [strategy])
    }

    /// Combines the strategies of a block.
    ///
    /// - Parameter parts: The strategies of the block.
    /// - Returns: All strategies.
    public static func buildBlock(_ parts: SignInStrategies...) -> SignInStrategies {
        SignInStrategies(strategies: parts.flatMap(\.strategies))
    }

    /// Adds the strategies of an `if` without `else`.
    ///
    /// - Parameter part: The strategies; `nil` if the condition is false.
    /// - Returns: The strategies; none if the condition is false.
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

/// A sign-in with an email address and a password.
///
/// ```swift
/// _ = try await client.signIn(with: .password(email: "ada@example.com", password: "correct horse battery staple"))
/// ```
public struct PasswordCredential: Credential {
    /// The email address.
    public var email: String
    /// The password, exactly as the user typed it.
    public var password: Secret

    /// Creates a credential.
    ///
    /// The values are not checked yet.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    public init(email: String, password: Secret) {
        self.email = email
        self.password = password
    }

    /// Creates a credential from strings, and wraps the password in a `Secret`.
    ///
    /// The values are not checked yet.
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
    /// The password stays exactly as the user typed it. Only the backend checks the strength of the password, and only
    /// for a new password.
    ///
    /// - Returns: The normalized credential.
    /// - Throws: `invalidEmail`, or `invalidInput` if the password is empty.
    public func normalized() throws(AuthError) -> PasswordCredential {
        guard !password.isEmpty else {
            throw AuthError(.invalidInput, "The password is empty. Ask the user for a password before the call.")
        }
        return PasswordCredential(email: try EmailAddress(email).text, password: password)
    }
}

extension Credential where Self == PasswordCredential {
    /// A sign-in with an email address and a password.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    /// - Returns: The credential.
    public static func password(email: String, password: Secret) -> PasswordCredential {
        PasswordCredential(email: email, password: password)
    }

    /// A sign-in with an email address and a password.
    ///
    /// The call wraps the password in a `Secret`.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    /// - Returns: The credential.
    public static func password(email: String, password: String) -> PasswordCredential {
        PasswordCredential(email: email, password: Secret(password))
    }
}

/// A sign-in with a passkey, which the user chooses in the system's dialog.
///
/// The sign-in returns the step `verify`. Pass the ``Challenge/passkeyOptions`` of the step's challenge to the dialog,
/// and respond with `.passkey` and the dialog's result.
///
/// ```swift
/// let step = try await client.signIn(with: .passkey)
/// if let options = step.challenge?.passkeyOptions, let flow = step.flow {
///     let result = try await showDialog(options)
///     _ = try await client.respond(to: flow, with: .passkey(result))
/// }
/// ```
public struct PasskeyCredential: Credential {
    /// Creates a credential.
    public init() {}

    /// The capability `passkey`.
    public static var capability: Capability { .passkey }

    /// Returns the credential unchanged.
    ///
    /// - Returns: The credential.
    public func normalized() throws(AuthError) -> PasskeyCredential { self }
}

extension Credential where Self == PasskeyCredential {
    /// A sign-in with a passkey.
    public static var passkey: PasskeyCredential { PasskeyCredential() }
}

/// A sign-in with a ticket that the app's own server has created.
///
/// ```swift
/// _ = try await client.signIn(with: .ticket(Secret(ticketFromYourServer)))
/// ```
public struct TicketCredential: Credential {
    /// The ticket from the app's server.
    public var token: Secret

    /// Creates a credential.
    ///
    /// - Parameter token: The ticket from the app's server.
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
    /// A sign-in with a ticket that the app's own server has created.
    ///
    /// - Parameter token: The ticket from the app's server.
    /// - Returns: The credential.
    public static func ticket(_ token: Secret) -> TicketCredential { TicketCredential(token: token) }
}

/// An anonymous sign-in, which needs no data from the user.
///
/// ```swift
/// _ = try await client.signIn(with: .anonymous)
/// print(client.user?.isAnonymous == true)
/// ```
public struct AnonymousCredential: Credential {
    /// Creates a credential.
    public init() {}

    /// The capability `anonymous`.
    public static var capability: Capability { .anonymous }

    /// Returns the credential unchanged.
    ///
    /// - Returns: The credential.
    public func normalized() throws(AuthError) -> AnonymousCredential { self }
}

extension Credential where Self == AnonymousCredential {
    /// An anonymous sign-in.
    public static var anonymous: AnonymousCredential { AnonymousCredential() }
}
