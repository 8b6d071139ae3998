public import Lockstep
internal import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The world of one check: a fresh backend, the adapter, devices, and the controls of the backend.
public final class World: Sendable {
    /// The environment of the harness, with the mutant's adapter if there is one.
    public let environment: TestEnvironment
    /// The configuration.
    public let variant: Variant
    /// Every event of every client.
    public let events = EventLog()
    /// The device's clock; ``advance(by:)`` moves it together with the backend's.
    public var clock: ManualClock { environment.clock }
    /// The declared behavior.
    public var behavior: ProviderBehavior { variant.behavior }
    /// The adapter as the harness gives it.
    let honest: any AuthAdapter
    /// The adapter's capabilities, asked of the adapter itself and not of a client.
    let claims: Set<Capability>
    let mutation: Mutation
    let notebook: CheckLog
    /// How many clients a check of many takes: fewer where the run only tests that the check notices a mutant.
    let clientCount: Int
    /// The contract that is checked.
    let contract: Contract.ID
    let watch: Watch
    private let found = Mutex<[Finding]>([])
    private let stated = Mutex<Set<Int>>([])

    init(environment: TestEnvironment, variant: Variant, mutation: Mutation, contract: Contract) {
        self.contract = contract.id
        notebook = CheckLog(contract: contract.id)
        watch = Watch(
            unwatched: Set(contract.unwatched.keys), line: contract.site.line,
            publicParameters: environment.publicLinkParameters)
        claims = environment.adapter.capabilities
        honest = environment.adapter
        clientCount = mutation.isNothing ? 300 : 60
        var environment = environment.guarded(watch)
        environment.adapter = mutation.adapter(environment.adapter, environment)
        mutation.controls(&environment, notebook)
        self.environment = environment
        self.variant = variant
        self.mutation = mutation
    }

    /// Whether the adapter claims this capability.
    public func can(_ capability: Capability) -> Bool { claims.contains(capability) }

    // MARK: Findings

    /// The findings so far.
    var findings: [Finding] { found.withLock { $0 } }

    /// The lines of the statements that were made, whether they held or not.
    var statements: Set<Int> { stated.withLock { $0 } }

    /// Ends the check, which has broken the contract.
    func end(_ why: String, line: Int = #line) throws -> Never {
        found(why, line: line)
        throw Unmet()
    }

    private func state(_ line: Int) { _ = stated.withLock { $0.insert(line) } }

    func found(_ sentence: String, line: Int) {
        state(line)
        found.withLock { $0.append(Finding(sentence: sentence, line: line)) }
    }

    /// Records a finding, which breaks the contract, unless the condition is true.
    ///
    /// The check continues.
    public func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String, line: Int = #line) {
        state(line)
        if !holds { found(otherwise(), line: line) }
    }

    /// Returns the value.
    ///
    /// If it is `nil`, the check ends and the contract is broken.
    public func require<Value>(_ value: Value?, _ otherwise: @autoclosure () -> String, line: Int = #line) throws -> Value {
        state(line)
        guard let value else { try end(otherwise(), line: line) }
        return value
    }

    /// Checks that a call is rejected with one of these codes.
    ///
    /// - Returns: The error, if any.
    @discardableResult
    public func refused<Value>(
        _ codes: AuthError.Code..., of what: String, line: Int = #line, by call: () async throws(AuthError) -> Value
    ) async -> AuthError? {
        do throws(AuthError) {
            _ = try await call()
            found("\(what) was not refused", line: line)
            return nil
        } catch {
            expect(codes.contains(error.code), "\(what) was refused as \(error), not as \(codes[0])", line: line)
            return error
        }
    }

    // MARK: Time and requests

    /// Moves the clocks of the device and the backend forward.
    public func advance(by duration: Duration) async throws {
        guard let backend = environment.backendClock else { throw EnvironmentError("the backend's clock cannot be moved") }
        // Both clocks move: nothing that is known changes behind a client's back.
        if let guarded = backend as? GuardedClock {
            try await guarded.advanceWithTheDevice(by: duration)
        } else {
            try await backend.advance(by: duration)
        }
        clock.advance(by: duration)
    }

    /// Checks the number of requests that `body` sends.
    @discardableResult
    public func expectRequests<Value>(
        _ allowed: ClosedRange<Int>, _ what: String, line: Int = #line, during body: () async throws -> Value
    ) async throws -> Value {
        let trace = try need(environment.trace, "requests are not counted")
        let before = trace.totals.requests
        let response = try await body()
        let sent = trace.totals.requests - before
        expect(allowed.contains(sent), "\(what) sent \(sent) requests", line: line)
        return response
    }

    func need<Control>(_ control: Control?, _ why: String) throws -> Control {
        guard let control else { throw EnvironmentError(why) }
        return control
    }
}
