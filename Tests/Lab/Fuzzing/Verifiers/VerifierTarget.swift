internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import LockstepTokens
internal import LockstepVerifier
internal import LockstepVerifierTestSupport

/// A verifier under test, with genuine responses of its backend.
struct VerifierTarget: Sendable {
    /// The backend that signs the tokens, at the time of a clock.
    let backend: @Sendable (any DeviceClock) throws -> TestBackend
    /// The verifier on a transport, at the time of a clock.
    let verifier: @Sendable (any HTTPTransport, SessionVerifier.Check, any DeviceClock) throws -> SessionVerifier
    let recorded: RecordedResponses

    private init(
        backend: @escaping @Sendable (any DeviceClock) throws -> TestBackend,
        verifier: @escaping @Sendable (any HTTPTransport, SessionVerifier.Check, any DeviceClock) throws -> SessionVerifier
    ) async throws {
        let clock = FixedClock()
        let honest = try backend(clock)
        let transport = RecordingTransport(honest)
        let asking = try verifier(transport, .session(key: "canary-key"), clock)
        let token = try honest.token(for: TestUser("user-1", email: "canary@example.com"))
        _ = try await asking.verify(token)
        honest.endSession(of: token)
        _ = try? await asking.verify(token)
        self.backend = backend
        self.verifier = verifier
        recorded = transport.answers
    }

    static func of(_ provider: String) async throws -> VerifierTarget {
        switch provider {
        case "gotrue":
            let key = try SigningKey.makeP256(id: "fuzzed")
            return try await VerifierTarget(
                backend: { try .goTrue(url: "https://ref.example.com/auth/v1", signedBy: key, clock: $0) },
                verifier: { transport, check, clock in
                    try .goTrue(
                        url: "https://ref.example.com/auth/v1", check: check, transport: HTTPRelay(transport), clock: clock)
                })
        case "firebase":
            return try await VerifierTarget(
                backend: { try .firebase(project: "orders", signedBy: FuzzTarget.signingKey, clock: $0) },
                verifier: { transport, check, clock in
                    try .firebase(project: "orders", check: check, transport: HTTPRelay(transport), clock: clock)
                })
        case "clerk":
            return try await VerifierTarget(
                backend: {
                    try .clerk(url: "https://clerk.orders.example", signedBy: FuzzTarget.signingKey, clock: $0)
                },
                verifier: { transport, check, clock in
                    try .clerk(
                        url: "https://clerk.orders.example", authorizedParties: [], nativeApps: true, check: check,
                        transport: HTTPRelay(transport), clock: clock)
                })
        default: throw FuzzError("there is no verifier \(provider)")
        }
    }
}
