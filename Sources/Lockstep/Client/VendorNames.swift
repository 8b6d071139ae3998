public import LockstepPrimitives

// Names from supabase-swift, firebase-ios-sdk and clerk-ios. They cannot be called: the compiler suggests this client's call.

extension Credential where Self == EmailLinkCredential {
    /// Not available: call ``emailLink(_:createsAccount:)``.
    @available(*, unavailable, renamed: "emailLink(_:)")
    public static func magicLink(_ email: String) -> EmailLinkCredential { .emailLink(email) }
}

extension Credential where Self == EmailCodeCredential {
    /// Not available: call ``emailCode(_:createsAccount:)``.
    @available(*, unavailable, renamed: "emailCode(_:)")
    public static func otp(_ email: String) -> EmailCodeCredential { .emailCode(email) }
}

extension Credential where Self == PhoneCodeCredential {
    /// Not available: call ``phoneCode(_:)``.
    @available(*, unavailable, renamed: "phoneCode(_:)")
    public static func phone(_ number: String) -> PhoneCodeCredential { .phoneCode(number) }

    /// Not available: call ``phoneCode(_:)``.
    @available(*, unavailable, renamed: "phoneCode(_:)")
    public static func sms(_ number: String) -> PhoneCodeCredential { .phoneCode(number) }
}

extension Credential where Self == TicketCredential {
    /// Not available: call ``ticket(_:)``.
    @available(*, unavailable, renamed: "ticket(_:)")
    public static func customToken(_ token: Secret) -> TicketCredential { .ticket(token) }
}

extension Credential where Self == AnonymousCredential {
    /// Not available: use ``anonymous``.
    @available(*, unavailable, renamed: "anonymous")
    public static var guest: AnonymousCredential { .anonymous }
}

extension Credential where Self == OAuthCredential {
    /// Not available: call `.oauth(.google)`.
    @available(*, unavailable, message: "use .oauth(.google)")
    public static var google: OAuthCredential { .oauth(.google) }

    /// Not available: call `.oauth(.apple)`, or `.idToken(.apple, token:)` for the system's dialog.
    @available(*, unavailable, message: "use .oauth(.apple), or .idToken(.apple, token:) for the system dialog")
    public static var apple: OAuthCredential { .oauth(.apple) }
}

extension AuthClient {
    /// Not available: use ``user``.
    @available(*, unavailable, renamed: "user")
    public var currentUser: User? { user }

    /// Not available: use `state.session`, or call ``session(requiring:)`` for a valid session.
    @available(*, unavailable, message: "use state.session, or session(requiring:) for a valid session")
    public var currentSession: Session? { state.session }

    /// Not available: call ``accessToken()``, or ``session(requiring:)`` for a valid session.
    @available(*, unavailable, message: "use accessToken(), or session(requiring:) for a valid session")
    public var session: Session { get async throws(AuthError) { try await session(requiring: .any) } }

    /// Not available: use ``states``, which yields the state without an event.
    @available(*, unavailable, message: "use states, which yields the state without an event")
    public var authStateChanges: AsyncStream<(event: AuthState, session: Session?)> {
        AsyncStream { $0.finish() }
    }

    /// Not available: use ``states``.
    @available(*, unavailable, message: "use states: for await state in auth.states { … }")
    @discardableResult
    public func addStateDidChangeListener(_ listener: @escaping (AuthClient, User?) -> Void) -> AuthClient { self }

    /// Not available: call ``accessToken()``, which refreshes the session if necessary.
    @available(*, unavailable, message: "use accessToken(), which refreshes the session if necessary")
    @discardableResult
    public func refreshSession() async throws(AuthError) -> Session { try await session(requiring: .any) }

    /// Not available: change the user with `account`.
    @available(*, unavailable, message: "use account.update, account.changePassword or account.changeEmail")
    @discardableResult
    public func update<Attributes>(user: Attributes) async throws(AuthError) -> User { try await refreshUser() }

    /// Not available: call ``respond(to:with:)`` with the flow of the step.
    @available(*, unavailable, message: "use respond(to: challenge.flow, with: .code(token)) with the challenge of the step")
    @discardableResult
    public func verifyOTP(email: String, token: String, type: VendorCode) async throws(AuthError) -> AuthStep {
        try await signIn(with: .emailCode(email))
    }

    /// Not available: call ``respond(to:with:)`` with the flow of the step.
    @available(*, unavailable, message: "use respond(to: challenge.flow, with: .code(token)) with the challenge of the step")
    @discardableResult
    public func verifyOTP(phone: String, token: String, type: VendorCode) async throws(AuthError) -> AuthStep {
        try await signIn(with: .phoneCode(phone))
    }

    /// Not available: call `signIn(with: .ticket(_:))`.
    @available(*, unavailable, message: "use signIn(with: .ticket(_:)) with the token of your own server")
    @discardableResult
    public func verifyOTP(tokenHash: String, type: VendorCode) async throws(AuthError) -> AuthStep {
        try await signIn(with: .ticket(Secret(tokenHash)))
    }

    /// Not available: call ``accessToken()``.
    @available(*, unavailable, renamed: "accessToken()")
    public func idToken() async throws(AuthError) -> Secret { try await accessToken() }

    /// Not available: call ``signIn(email:password:)``.
    @available(*, unavailable, renamed: "signIn(email:password:)")
    public func signIn(withEmail email: String, password: String) async throws(AuthError) -> AuthStep {
        try await signIn(with: .password(email: email, password: password))
    }

    /// Not available: call ``signUp(email:password:displayName:)``.
    @available(*, unavailable, renamed: "signUp(email:password:)")
    public func createUser(withEmail email: String, password: String) async throws(AuthError) -> AuthStep {
        try await signUp(with: .password(email: email, password: password))
    }

    /// Not available: call `signIn(with: .emailLink(_:))` or `signIn(with: .emailCode(_:))`.
    @available(*, unavailable, message: "use signIn(with: .emailLink(_:)) or signIn(with: .emailCode(_:))")
    public func signInWithOTP(email: String) async throws(AuthError) -> AuthStep { try await signIn(with: .emailLink(email)) }

    /// Not available: call `signIn(with: .anonymous)`.
    @available(*, unavailable, message: "use signIn(with: .anonymous)")
    public func signInAnonymously() async throws(AuthError) -> AuthStep { try await signIn(with: .anonymous) }

    /// Not available: call ``requestPasswordReset(email:)``.
    @available(*, unavailable, renamed: "requestPasswordReset(email:)")
    public func sendPasswordReset(withEmail email: String) async throws(AuthError) -> AuthStep {
        try await requestPasswordReset(email: email)
    }

    /// Not available: call ``requestPasswordReset(email:)``.
    @available(*, unavailable, renamed: "requestPasswordReset(email:)")
    public func resetPasswordForEmail(_ email: String) async throws(AuthError) -> AuthStep {
        try await requestPasswordReset(email: email)
    }
}

/// The kinds of codes of supabase-swift, so that the compiler can say what replaces `verifyOTP`.
public enum VendorCode: Sendable {
    case signup, invite, magiclink, recovery, email, emailChange, sms, phoneChange
}

extension User {
    /// Not available: call ``AuthClient/accessToken()``.
    @available(*, unavailable, message: "use accessToken() of the client")
    public func getIDToken(forcingRefresh: Bool = false) async throws(AuthError) -> String { id }
}

extension Session {
    /// Not available: call ``AuthClient/accessToken()``.
    @available(*, unavailable, message: "use accessToken() of the client")
    public func getToken() async throws(AuthError) -> String? { nil }
}
