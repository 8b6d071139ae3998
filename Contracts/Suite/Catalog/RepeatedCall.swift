internal import Lockstep
internal import LockstepPrimitives

/// A change of a user's account in which one request fails and the call is repeated.
struct RepeatedCall: Sendable {
    let world: World
    let fault: Fault
    let skipped: Int
    let person: Person
    let client: any PortableClient
    let session: Session

    var userID: String { session.user.id }
    var what: String { "after \(fault) at request \(skipped + 1)" }

    /// Signs a new user in for the change.
    init(_ world: World, _ fault: Fault, skipping skipped: Int) async throws {
        self.world = world
        self.fault = fault
        self.skipped = skipped
        person = try await world.member()
        client = world.client()
        session = try await world.enter(client, person)
        // Backends compare times in whole seconds, so the change must come in a later second than the sign-in.
        try await world.advance(by: .seconds(2))
    }

    /// Injects the fault into a request of a call, makes the call, and repeats it if it fails.
    ///
    /// - Returns: The response (`nil` after an allowed error), and whether the fault made the first call fail.
    /// - Throws: An error of the backend's controls; it ends the check.
    func first<C: ClientCall>(
        _ call: C, endings: Set<AuthError.Code> = [], line: Int = #line
    ) async throws -> (value: C.Output?, hasFailed: Bool) {
        try await world.fail(with: fault, skipping: skipped, times: 1)
        return try await next(call, endings: endings, line: line)
    }

    /// Makes a later call of the same change, and repeats it if it fails.
    func next<C: ClientCall>(
        _ call: C, endings: Set<AuthError.Code> = [], line: Int = #line
    ) async throws -> (value: C.Output?, hasFailed: Bool) {
        try await twice(refusals: C.refusalsIfDone, endings: endings, line: line) { () async throws(AuthError) in
            try await client.perform(call)
        }
    }

    /// Makes a call, and repeats it if it fails.
    ///
    /// - Parameters:
    ///   - refusals: The allowed error codes of the repetition if the first call has already done its work.
    ///   - endings: Error codes that are expected results and not failures, for example because the call ends the session.
    ///   - line: The line of the check in the source.
    /// - Returns: The response (`nil` after an allowed error), and whether the fault made the first call fail.
    /// - Throws: An error of the backend's controls; it ends the check.
    func twice<Value: Sendable>(
        refusals: Set<AuthError.Code>, endings: Set<AuthError.Code>, line: Int = #line,
        _ call: @Sendable () async throws(AuthError) -> Value
    ) async throws -> (value: Value?, hasFailed: Bool) {
        switch await result(of: call) {
        case .success(let value): return (value, false)
        case .failure(let error):
            if endings.contains(error.code) { return (nil, false) }
            let codes: Set<AuthError.Code> = fault == .answerLost ? [.network, .timedOut] : [.serverUnavailable]
            world.expect(codes.contains(error.code), "\(what) the call failed with \(error)", line: line)
        }
        // A backend limits how often it sends messages to one address.
        try await world.advance(by: .seconds(90))
        // A call of its own renews an old token, so that the repeated call sends each of its requests once.
        let renewed = await result(of: { () async throws(AuthError) in try await client.accessToken() })
        if let error = renewed.failure, refusals.contains(error.code) || endings.contains(error.code) { return (nil, true) }
        switch await result(of: call) {
        case .success(let value): return (value, true)
        case .failure(let error):
            if endings.contains(error.code) { return (nil, true) }
            // An earlier request of the call may already have done the work.
            let mayBeDone = fault == .answerLost || skipped > 0
            world.expect(
                mayBeDone && refusals.contains(error.code), "\(what) the repeated call failed with \(error)", line: line)
            return (nil, true)
        }
    }

    func apps() throws -> any AuthenticatorApps {
        try world.need(world.environment.authenticators, "the harness has no authenticator apps")
    }

    func sheet() throws -> any PasskeySheet {
        try world.need(world.environment.passkeys, "the harness cannot create passkeys")
    }
}
