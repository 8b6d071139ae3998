public import Lockstep
internal import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The components of one check: a new backend, the adapter, devices, and the controls of the backend.
public final class World: Sendable {
    /// The environment that the harness has set up.
    ///
    /// If a test checks a fault, the environment contains the faulty adapter.
    public let environment: TestEnvironment
    /// The configuration of the backend.
    public let variant: Variant
    /// The events of all clients in this check.
    public let events = EventLog()
    /// The clock of the device; ``advance(by:)`` moves this clock together with the clock of the backend.
    public var clock: ManualClock { environment.clock }
    /// The behavior that the adapter declares.
    public var behavior: ProviderBehavior { variant.behavior }
    /// The adapter from the harness, without any change.
    let honest: any AuthAdapter
    /// The adapter's capabilities, read from the adapter itself and not from a client.
    let claims: Set<Capability>
    let mutation: Mutation
    let notebook: CheckLog
    /// The number of clients in a check with many clients.
    ///
    /// It is smaller if the run only tests that the check notices a mutant.
    let clientCount: Int
    /// The contract that is checked.
    let contract: String
    let site: SourceSite
    /// The findings of the run.
    public let findings = FindingLog()
    let watch: Watch
    private let stated = Mutex<Set<Int>>([])

    init(environment: TestEnvironment, variant: Variant, mutation: Mutation, contract: Contract<World>) {
        self.contract = contract.id
        site = contract.site
        notebook = CheckLog(contract: contract.id)
        watch = Watch(
            unwatched: Set(contract.demands.unwatched.keys), site: contract.site,
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

    /// Returns whether the adapter has a capability.
    public func can(_ capability: Capability) -> Bool { claims.contains(capability) }

    // MARK: Findings

    /// The lines of the stated conditions, both true and false.
    var statements: Set<Int> { stated.withLock { $0 } }

    /// Ends the check, and records that the contract is broken.
    func end(_ why: String, line: Int = #line) throws -> Never {
        found(why, line: line)
        throw Unmet()
    }

    private func state(_ line: Int) { _ = stated.withLock { $0.insert(line) } }

    func found(_ sentence: String, line: Int) {
        state(line)
        findings.add(Finding(sentence: sentence, site: site.at(line: line)))
    }

    /// Checks a condition.
    ///
    /// If the condition is false, the contract is broken. The check continues.
    ///
    /// - Parameters:
    ///   - otherwise: A sentence that describes the failure.
    ///   - line: The line of the check in the source.
    public func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String, line: Int = #line) {
        state(line)
        if !holds { found(otherwise(), line: line) }
    }

    /// Returns a value that must not be `nil`.
    ///
    /// If the value is `nil`, the check ends and the contract is broken.
    ///
    /// - Parameters:
    ///   - otherwise: A sentence that describes the failure.
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func require<Value>(_ value: Value?, _ otherwise: @autoclosure () -> String, line: Int = #line) throws -> Value {
        state(line)
        guard let value else { try end(otherwise(), line: line) }
        return value
    }

    /// Checks that a call fails with one of several codes.
    ///
    /// Otherwise, the contract is broken. The check continues.
    ///
    /// - Parameters:
    ///   - what: The name of the call, for the failure message.
    ///   - line: The line of the check in the source.
    /// - Returns: The error of the call; `nil` if the call succeeded.
    @discardableResult
    public func refused<Value>(
        _ codes: AuthError.Code..., of what: String, line: Int = #line, by call: () async throws(AuthError) -> Value
    ) async -> AuthError? {
        do throws(AuthError) {
            _ = try await call()
            found("\(what): expected \(codes[0]), but the call succeeded", line: line)
            return nil
        } catch {
            expect(codes.contains(error.code), "\(what): expected \(codes[0]), got \(error)", line: line)
            return error
        }
    }

    // MARK: Time and requests

    /// Moves the clock of the device and the clock of the backend forward.
    ///
    /// - Parameter duration: The time by which to move the clocks.
    /// - Throws: ``EnvironmentError`` if the clock of the backend cannot be moved.
    public func advance(by duration: Duration) async throws {
        guard let backend = environment.backendClock else {
            throw EnvironmentError("the harness cannot move the backend's clock")
        }
        // Both clocks move, so a client still knows when its tokens expire.
        if let guarded = backend as? GuardedClock {
            try await guarded.advanceWithTheDevice(by: duration)
        } else {
            try await backend.advance(by: duration)
        }
        clock.advance(by: duration)
    }

    /// Checks how many requests are sent while a closure runs.
    ///
    /// If the number is wrong, the contract is broken.
    ///
    /// - Parameters:
    ///   - allowed: The allowed numbers of requests.
    ///   - what: A name for the work of the closure, for the failure message.
    ///   - line: The line of the check in the source.
    /// - Throws: The error that `body` throws; ``EnvironmentError`` if requests are not counted.
    @discardableResult
    public func expectRequests<Value>(
        _ allowed: ClosedRange<Int>, _ what: String, line: Int = #line, during body: () async throws -> Value
    ) async throws -> Value {
        let trace = try need(environment.trace, "the harness does not count requests")
        let before = trace.totals.requests
        let response = try await body()
        let sent = trace.totals.requests - before
        expect(allowed.contains(sent), "\(what) sent \(sent) requests, expected \(allowed)", line: line)
        return response
    }

    func need<Control>(_ control: Control?, _ why: String) throws -> Control {
        guard let control else { throw EnvironmentError(why) }
        return control
    }
}
