public import Lockstep
internal import LockstepPrimitives

extension World {
    /// The control that makes requests fail.
    public func fail(
        _ requests: FaultTarget = .any, with fault: Fault, skipping skip: Int = 0, times: Int? = nil
    ) async throws {
        try await need(environment.faults, "requests cannot be made to fail").inject(
            fault, on: requests, skipping: skip, times: times)
    }

    /// Removes the faults.
    public func heal() async throws { try await need(environment.faults, "requests cannot be made to fail").clear() }

    /// Moves the clocks until every token must be renewed.
    public func outliveToken(of session: Session) async throws {
        try await advance(by: session.lifetime.life + .seconds(1))
    }

    /// Returns the result of `work` if it ends soon in real time; otherwise `nil`.
    public func soon<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await Race.first(limit: .seconds(30), work)
    }

    /// The administrator's API.
    public func administrator() throws -> any BackendAdministrator {
        try need(environment.administrator, "the backend has no administrator's API")
    }

    /// The identity provider.
    public func issuer() throws -> any IdentityIssuer { try need(environment.issuer, "no ID tokens can be issued") }
}
