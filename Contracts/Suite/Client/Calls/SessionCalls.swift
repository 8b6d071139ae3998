public import Lockstep
internal import LockstepPrimitives

/// Calls about the session.
extension ClientCalls {
    static let session: [any ClientCall.Type] = [
        Restore.self, ValidToken.self, ValidSession.self, SendAuthorized.self, RefreshUser.self, SignOut.self,
    ]
}

struct Restore: ClientCall {
    static let name = "restore"

    func perform(on client: AuthClient) async -> AuthState { await client.restore() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthState? {
        let state: AuthState
        if let onRestore = faulty.onRestore { state = await onRestore(faulty.base) } else { state = await faulty.base.restore() }
        return faulty.seeing?(state) ?? state
    }
}

struct ValidToken: ClientCall {
    static let name = "accessToken"

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        try await world.outliveToken(of: try await world.signIn(client))
        return Self()
    }

    func perform(on client: AuthClient) async throws(AuthError) -> Secret { try await client.accessToken() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Secret? { try await faulty.onToken?(faulty.base) }
}

struct ValidSession: ClientCall {
    static let name = "session"
    let requirement: SessionRequirement

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        try await world.outliveToken(of: try await world.signIn(client))
        return Self(requirement: .any)
    }

    func perform(on client: AuthClient) async throws(AuthError) -> Session { try await client.session(requiring: requirement) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Session? {
        try await faulty.onSession?(faulty.base, requirement)
    }
}

/// A request of the app to its own server.
///
/// The app's own code can throw any error, so the result can be one.
struct SendAuthorized: ClientCall {
    static let name = "authorized"
    let request: AppRequest
    let send: FaultyClient.Sending

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        try await world.outliveToken(of: try await world.signIn(client))
        return Self(request: AppRequest(url: "https://app.example.com/orders")) { AppResponse(status: 200, content: $0.body) }
    }

    func perform(on client: AuthClient) async -> Result<AppResponse<[UInt8]>, any Error> {
        do {
            // The content is not `[UInt8]`, for which the extension of `PortableClient` has a function of this name.
            let response = try await client.authorized(request) { authorized in
                let response = try await send(authorized)
                return AppResponse(status: response.status, content: response)
            }
            return .success(response.content)
        } catch {
            return .failure(error)
        }
    }

    func replaced(by faulty: FaultyClient) async -> Result<AppResponse<[UInt8]>, any Error>? {
        guard let onAuthorized = faulty.onAuthorized else { return nil }
        do { return .success(try await onAuthorized(faulty.base, request, send)) } catch { return .failure(error) }
    }

    func observed(by look: @escaping @Sendable (CallResult) async -> Void) -> Self {
        Self(request: request) { [send] authorized in
            if let value = authorized.header("Authorization"), value.hasPrefix("Bearer ") {
                await look(.token(Secret(String(value.dropFirst("Bearer ".count)))))
            }
            return try await send(authorized)
        }
    }

    static func result(_ output: Output) -> CallResult {
        switch output {
        case .success(let response): .response(response)
        case .failure(let error): (error as? AuthError).map { .refusal($0) } ?? .failed
        }
    }

    static func output(_ result: CallResult) -> Output? {
        switch result {
        case .response(let response): .success(response)
        case .refusal(let error): .failure(error)
        default: nil
        }
    }
}

struct RefreshUser: UserCall {
    static let name = "refreshUser"

    static func sample(of person: Person, and other: Person) -> Self { Self() }

    func perform(on client: AuthClient) async throws(AuthError) -> User { try await client.refreshUser() }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> User? { try await faulty.onRefreshUser?(faulty.base) }
}

struct SignOut: UserCall {
    static let name = "signOut"
    /// Sign-outs have their own contracts about tokens.
    static let isAboutUser = false
    let scope: SignOutScope
    let discardingAnonymousUser: Bool

    var capability: Capability? {
        switch scope {
        case .local: nil
        case .others: .signOutOthers
        case .everywhere: .signOutEverywhere
        }
    }
    var effect: CallEffect { .ends }

    static func sample(of person: Person, and other: Person) -> Self { Self(scope: .local, discardingAnonymousUser: false) }

    func perform(on client: AuthClient) async throws(AuthError) {
        try await client.signOut(scope, discardingAnonymousUser: discardingAnonymousUser)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? {
        try await faulty.onSignOut?(faulty.base, scope, discardingAnonymousUser)
    }
}

extension PortableClient {
    /// Reads the stored session.
    ///
    /// - Returns: The authentication state.
    @discardableResult
    public func restore() async -> AuthState { (try? await perform(Restore())) ?? state }

    /// Returns an access token that is valid now.
    ///
    /// - Throws: The error that the client throws.
    public func accessToken() async throws(AuthError) -> Secret { try await perform(ValidToken()) }

    /// Returns the session if it satisfies a requirement.
    ///
    /// - Parameter requirement: The requirement. Default: none.
    /// - Throws: The error that the client throws.
    public func session(requiring requirement: SessionRequirement = .any) async throws(AuthError) -> Session {
        try await perform(ValidSession(requirement: requirement))
    }

    /// Sends a request of the app with the access token of the user.
    ///
    /// - Throws: The error of the client, or the error that `send` throws.
    public func authorized(
        _ request: AppRequest, by send: @escaping @Sendable (AppRequest) async throws -> AppResponse<[UInt8]>
    ) async throws -> AppResponse<[UInt8]> {
        try await perform(SendAuthorized(request: request, send: send)).get()
    }

    /// Reloads the user from the backend.
    ///
    /// - Throws: The error that the client throws.
    public func refreshUser() async throws(AuthError) -> User { try await perform(RefreshUser()) }

    /// Signs the user out.
    ///
    /// - Parameters:
    ///   - scope: The sessions that end. Default: the session of this client.
    ///   - discardingAnonymousUser: Whether to sign out even an anonymous user, whose account is then lost.
    /// - Throws: The error that the client throws.
    public func signOut(_ scope: SignOutScope = .local, discardingAnonymousUser: Bool = false) async throws(AuthError) {
        try await perform(SignOut(scope: scope, discardingAnonymousUser: discardingAnonymousUser))
    }
}
