public import LockstepPrimitives

// The names of supabase-swift, firebase-ios-sdk and clerk-ios, so that the compiler names the call of this client. Nothing here can be called.

extension Credential where Self == EmailLinkCredential {
    /// Another library's name for a link by email.
    @available(*, unavailable, renamed: "emailLink(_:)")
    public static func magicLink(_ email: String) -> EmailLinkCredential { .emailLink(email) }
}

extension Credential where Self == EmailCodeCredential {
    /// Another library's name for a code by email.
    @available(*, unavailable, renamed: "emailCode(_:)")
    public static func otp(_ email: String) -> EmailCodeCredential { .emailCode(email) }
}

extension Credential where Self == PhoneCodeCredential {
    /// Another library's name for a code by SMS.
    @available(*, unavailable, renamed: "phoneCode(_:)")
    public static func phone(_ number: String) -> PhoneCodeCredential { .phoneCode(number) }

    /// Another library's name for a code by SMS.
    @available(*, unavailable, renamed: "phoneCode(_:)")
    public static func sms(_ number: String) -> PhoneCodeCredential { .phoneCode(number) }
}

extension Credential where Self == TicketCredential {
    /// Another library's name for a token from a server.
    @available(*, unavailable, renamed: "ticket(_:)")
    public static func customToken(_ token: Secret) -> TicketCredential { .ticket(token) }
}

extension Credential where Self == AnonymousCredential {
    /// Another library's name for an anonymous sign-in.
    @available(*, unavailable, renamed: "anonymous")
    public static var guest: AnonymousCredential { .anonymous }
}

extension Credential where Self == OAuthCredential {
    /// Another library's name for a sign-in on Google's page.
    @available(*, unavailable, message: "use .oauth(.google)")
    public static var google: OAuthCredential { .oauth(.google) }

    /// Another library's name for a sign-in on Apple's page.
    @available(*, unavailable, message: "use .oauth(.apple), or .idToken(.apple, token:) for the system's sheet")
    public static var apple: OAuthCredential { .oauth(.apple) }
}

extension AuthClient {
    /// The name of the user in firebase-ios-sdk and supabase-swift.
    @available(*, unavailable, renamed: "user")
    public var currentUser: User? { user }

    /// The name of the session in supabase-swift.
    @available(*, unavailable, message: "use state.session, or session(requiring:) for a valid one")
    public var currentSession: Session? { state.session }

    /// The name of the stream in supabase-swift.
    @available(*, unavailable, renamed: "states")
    public var authStateChanges: AsyncStream<AuthState> { states }

    /// The name of the token in firebase-ios-sdk.
    @available(*, unavailable, renamed: "accessToken()")
    public func idToken() async throws(AuthError) -> Secret { try await accessToken() }

    /// The password sign-in of firebase-ios-sdk.
    @available(*, unavailable, message: "use signIn(with: .password(email:password:))")
    public func signIn(withEmail email: String, password: String) async throws(AuthError) -> SignInStep {
        try await signIn(with: .password(email: email, password: password))
    }

    /// The password sign-in of supabase-swift.
    @available(*, unavailable, message: "use signIn(with: .password(email:password:))")
    public func signIn(email: String, password: String) async throws(AuthError) -> SignInStep {
        try await signIn(with: .password(email: email, password: password))
    }

    /// The sign-up of firebase-ios-sdk.
    @available(*, unavailable, message: "use signUp(with: .password(email:password:))")
    public func createUser(withEmail email: String, password: String) async throws(AuthError) -> SignInStep {
        try await signUp(with: .password(email: email, password: password))
    }

    /// The sign-up of supabase-swift.
    @available(*, unavailable, message: "use signUp(with: .password(email:password:))")
    public func signUp(email: String, password: String) async throws(AuthError) -> SignInStep {
        try await signUp(with: .password(email: email, password: password))
    }

    /// The sign-in by link or code of supabase-swift.
    @available(*, unavailable, message: "use signIn(with: .emailLink(_:)) or signIn(with: .emailCode(_:))")
    public func signInWithOTP(email: String) async throws(AuthError) -> SignInStep { try await signIn(with: .emailLink(email)) }

    /// The anonymous sign-in of supabase-swift and firebase-ios-sdk.
    @available(*, unavailable, message: "use signIn(with: .anonymous)")
    public func signInAnonymously() async throws(AuthError) -> SignInStep { try await signIn(with: .anonymous) }

    /// The password reset of firebase-ios-sdk.
    @available(*, unavailable, renamed: "requestPasswordReset(email:)")
    public func sendPasswordReset(withEmail email: String) async throws(AuthError) -> SignInStep {
        try await requestPasswordReset(email: email)
    }

    /// The password reset of supabase-swift.
    @available(*, unavailable, renamed: "requestPasswordReset(email:)")
    public func resetPasswordForEmail(_ email: String) async throws(AuthError) -> SignInStep {
        try await requestPasswordReset(email: email)
    }
}
