public import LockstepPrimitives

/// What a user presents to sign in.
///
/// The set is open: an adapter may bring a credential type of its own together with a strategy that takes it.
public protocol Credential: Sendable {
    /// The capability that an adapter has when it lists a strategy for this type.
    static var capability: Capability { get }

    /// The same credential in the one form that every adapter gets: addresses trimmed, empty values refused.
    ///
    /// - Throws: `invalidEmail`, `invalidPhone` or `invalidInput`, before any request is sent.
    func normalized() throws(AuthError) -> Self

    /// What names the account: the address or number. Repeating an interrupted sign-up is recognised by it.
    var identifier: String? { get }
}

extension Credential {
    /// No account is named.
    public var identifier: String? { nil }
}

/// What a credential is used for.
public enum CredentialPurpose: Sendable, Hashable {
    /// To make a new account.
    case signUp(SignUpProfile)
    /// To sign in to an account.
    case signIn
    /// To add the credential to the user of this session, who keeps the user id.
    case link(to: Session)
    /// To renew the sign-in of this session's user, for a sensitive call.
    case reauthenticate(Session)

    /// The name that a sign-up gives the new user.
    public var displayName: String? { if case .signUp(let profile) = self { profile.displayName } else { nil } }
}

/// The profile of a new user.
public struct SignUpProfile: Sendable, Hashable {
    /// The name to show.
    public var displayName: String?

    /// A profile.
    public init(displayName: String? = nil) { self.displayName = displayName }
}

/// One way to sign in, up, link or reauthenticate: an adapter's implementation for one type of credential.
public protocol SignInStrategy<Input>: Sendable {
    /// The credential that it takes.
    associatedtype Input: Credential

    /// Whether it takes the credential for a purpose, of this session's user where it is for one; without one, only to sign in and
    /// up.
    ///
    /// The client refuses every other purpose before a request, and screens offer it to no user.
    func supports(_ purpose: CredentialPurpose) -> Bool

    /// Sends the credential to the backend, for `purpose`.
    ///
    /// The credential is normalized already. Values for a later answer (a verifier, a handle, an attempt's id) go into `flow`,
    /// which the client keeps in the store; so does each completed part, where the call takes several requests.
    ///
    /// - Throws: an `AuthError` of the adapter's error table.
    func begin(_ credential: Input, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension SignInStrategy {
    /// To sign in and to sign up.
    public func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn, .signUp: true
        case .link, .reauthenticate: false
        }
    }
}

/// The sign-in strategies of an adapter, looked up by the credential's type.
@resultBuilder
public struct SignInStrategies: Sendable {
    private var strategies: [any SignInStrategy] = []

    /// The strategy that takes credentials of type `C`.
    public func strategy<C: Credential>(for type: C.Type) -> (any SignInStrategy<C>)? {
        for strategy in strategies {
            if let match = strategy as? any SignInStrategy<C> { return match }
        }
        return nil
    }

    /// The capabilities that follow from them.
    public var capabilities: [Capability] { strategies.map { Self.capability(of: $0) } }

    /// The capabilities of those that take a purpose.
    func capabilities(taking purpose: CredentialPurpose) -> [Capability] {
        strategies.filter { $0.supports(purpose) }.map { Self.capability(of: $0) }
    }

    private static func capability<S: SignInStrategy>(of strategy: S) -> Capability { S.Input.capability }

    // MARK: Building

    /// One strategy.
    public static func buildExpression(_ strategy: some SignInStrategy) -> SignInStrategies {
        SignInStrategies(strategies: [strategy])
    }

    /// All of a block.
    public static func buildBlock(_ parts: SignInStrategies...) -> SignInStrategies {
        SignInStrategies(strategies: parts.flatMap(\.strategies))
    }

    /// What an `if` gives.
    public static func buildOptional(_ part: SignInStrategies?) -> SignInStrategies { part ?? SignInStrategies() }

    /// The one branch.
    public static func buildEither(first part: SignInStrategies) -> SignInStrategies { part }

    /// The other branch.
    public static func buildEither(second part: SignInStrategies) -> SignInStrategies { part }
}

/// E-mail address and password.
public struct PasswordCredential: Credential {
    /// The address.
    public var email: String
    /// The password, byte for byte as the user typed it.
    public var password: Secret

    /// Address and password, not yet checked.
    public init(email: String, password: Secret) {
        self.email = email
        self.password = password
    }

    /// Address and password, not yet checked; the password is wrapped at once.
    public init(email: String, password: String) {
        self.init(email: email, password: Secret(password))
    }

    /// The capability `password`.
    public static var capability: Capability { .password }

    /// The address.
    public var identifier: String? { email }

    /// The address trimmed, the password as it is: its strength is the backend's business, and only where one is set.
    public func normalized() throws(AuthError) -> PasswordCredential {
        guard !password.isEmpty else {
            throw AuthError(.invalidInput, "The password is empty. Ask the user for one before calling.")
        }
        return PasswordCredential(email: try EmailAddress(email).text, password: password)
    }
}

extension Credential where Self == PasswordCredential {
    /// E-mail address and password.
    public static func password(email: String, password: Secret) -> PasswordCredential {
        PasswordCredential(email: email, password: password)
    }

    /// E-mail address and password, which is wrapped at once.
    public static func password(email: String, password: String) -> PasswordCredential {
        PasswordCredential(email: email, password: Secret(password))
    }
}

/// A passkey, which the platform's own sheet finds and signs with.
///
/// The backend gives a challenge first: the step is `verify`, whose ``Challenge/passkeyOptions`` go to the sheet, and what the
/// sheet gives is the answer `.passkey`.
public struct PasskeyCredential: Credential {
    /// A passkey.
    public init() {}

    /// The capability `passkey`.
    public static var capability: Capability { .passkey }

    /// Itself.
    public func normalized() throws(AuthError) -> PasskeyCredential { self }
}

extension Credential where Self == PasskeyCredential {
    /// A passkey.
    public static var passkey: PasskeyCredential { PasskeyCredential() }
}

/// A ticket that the team's own server has made for one sign-in.
public struct TicketCredential: Credential {
    /// The ticket.
    public var token: Secret

    /// A ticket.
    public init(token: Secret) { self.token = token }

    /// The capability `ticket`.
    public static var capability: Capability { .ticket }

    /// The same, refused where it is empty.
    public func normalized() throws(AuthError) -> TicketCredential {
        guard !token.isEmpty else { throw AuthError(.invalidInput, "The ticket is empty.") }
        return self
    }
}

extension Credential where Self == TicketCredential {
    /// A ticket that the team's own server has made.
    public static func ticket(_ token: Secret) -> TicketCredential { TicketCredential(token: token) }
}

/// Nothing at all: a guest's account.
public struct AnonymousCredential: Credential {
    /// A guest.
    public init() {}

    /// The capability `anonymous`.
    public static var capability: Capability { .anonymous }

    /// Itself.
    public func normalized() throws(AuthError) -> AnonymousCredential { self }
}

extension Credential where Self == AnonymousCredential {
    /// A guest's account.
    public static var anonymous: AnonymousCredential { AnonymousCredential() }
}
