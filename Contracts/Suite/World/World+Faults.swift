public import Lockstep
internal import LockstepPrimitives

extension World {
    /// Causes requests of one kind to fail.
    ///
    /// - Parameters:
    ///   - requests: The kind of requests. Default: every request.
    ///   - fault: The effect on the requests.
    ///   - skip: The number of matching requests that get the usual response first. Default: none.
    ///   - times: The number of requests that fail; `nil` until ``heal()`` is called.
    /// - Throws: ``EnvironmentError`` if the backend does not support this fault.
    public func fail(
        _ requests: FaultTarget = .any, with fault: Fault, skipping skip: Int = 0, times: Int? = nil
    ) async throws {
        try await need(environment.faults, "the harness cannot make requests fail").inject(
            fault, on: requests, skipping: skip, times: times)
    }

    /// Removes all faults.
    ///
    /// - Throws: ``EnvironmentError`` if the environment cannot cause requests to fail.
    public func heal() async throws { try await need(environment.faults, "the harness cannot make requests fail").clear() }

    /// Moves the clocks forward until the access token of a session has expired.
    ///
    /// - Throws: ``EnvironmentError`` if the clock of the backend cannot be moved.
    public func outliveToken(of session: Session) async throws {
        try await advance(by: session.lifetime.life + .seconds(1))
    }

    /// Returns the result of some work if the work ends within 30 seconds of real time.
    ///
    /// - Returns: The result; `nil` if the work takes longer.
    public func soon<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await Race.first(limit: .seconds(30), work)
    }

    /// Returns the API for administrators.
    ///
    /// - Throws: ``EnvironmentError`` if the environment does not have this control.
    public func administrator() throws -> any BackendAdministrator {
        try need(environment.administrator, "the backend has no administrator's API")
    }

    /// Returns the identity provider that the backend trusts.
    ///
    /// - Throws: ``EnvironmentError`` if the environment does not have this control.
    public func issuer() throws -> any IdentityIssuer { try need(environment.issuer, "the harness cannot issue ID tokens") }
}
