internal import Lockstep
internal import LockstepPrimitives

/// Returns the result of a call.
func result<Value: Sendable>(
    of call: @Sendable () async throws(AuthError) -> Value
) async -> Result<Value, AuthError> {
    do throws(AuthError) { return .success(try await call()) } catch { return .failure(error) }
}

func named<Value>(_ outcome: Result<Value, AuthError>) -> String {
    switch outcome {
    case .success: "success"
    case .failure(let error): error.code.rawValue
    }
}

extension Result {
    var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension World {
    func untilHanging(_ count: Int) async throws {
        let faults = try need(environment.faults, "the harness cannot make requests fail")
        let arrived = await soon { () -> Result<Void, any Error> in
            do { return .success(try await faults.untilHanging(count)) } catch { return .failure(error) }
        }
        try require(arrived, "no request was sent").get()
    }

    func release() async throws { try await need(environment.faults, "the harness cannot make requests fail").release() }

    /// Checks that a call ends at its deadline if the backend never responds.
    ///
    /// The device's clock measures the time.
    ///
    /// - Parameters:
    ///   - what: The subject of the check.
    ///   - code: The expected error code.
    ///   - asks: Whether the call sends a request.
    ///   - isEarly: Whether the call has its own limit, before the deadline.
    ///   - line: The line of the check in the source.
    /// - Throws: An error of the backend's controls; it ends the check.
    func ends(
        _ what: String, _ code: AuthError.Code?, asks: Bool = true, isEarly: Bool = false, line: Int = #line,
        _ call: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        try await fail(with: .hang)
        let task = Task { await result(of: call) }
        if asks { try await untilHanging(1) }
        let outcome = try await valueAtDeadline(of: task, isEarly: isEarly)
        try await heal()
        try await release()
        guard let outcome else { return found("\(what) did not end by its deadline", line: line) }
        expect(
            outcome.failure?.code == code, "\(what): expected \(code?.rawValue ?? "success"), got \(named(outcome))", line: line)
    }

    /// Checks that a call ends at its deadline although a gate blocks its work.
    func endsByItsDeadline(
        _ what: String, at gate: Gate, line: Int = #line, _ call: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        let outcome = try await ended(Task { await result(of: call) }, what, at: gate, line: line)
        let ending = outcome.failure?.code.rawValue ?? "success"
        expect(outcome.failure?.code == .timedOut, "\(what): expected timedOut, got \(ending)", line: line)
    }

    /// Moves the clock over the deadline of a call that a gate blocks, and returns its result.
    ///
    /// - Parameters:
    ///   - what: The subject of the check.
    ///   - isEarly: Whether the call has its own limit, before the deadline.
    ///   - line: The line of the check in the source.
    /// - Throws: An error of the backend's controls; it ends the check.
    func ended<Value: Sendable>(
        _ task: Task<Value, Never>, _ what: String, at gate: Gate, isEarly: Bool = false, line: Int = #line
    ) async throws -> Value {
        expect(try await comes { gate.arrivals > 0 }, "\(what) did not reach the point where it hangs", line: line)
        let value = try await valueAtDeadline(of: task, isEarly: isEarly)
        if value == nil { gate.open() }
        return try require(value, "\(what) did not end by its deadline", line: line)
    }

    /// Moves the device's clock over the deadline of a call, as soon as the call has set its timer.
    ///
    /// The clock moves at most twice, because the first move can trigger another timer. A call with its own limit gets the same
    /// time in smaller parts.
    ///
    /// - Returns: The call's result; `nil` if the call does not end by the deadline. The call is then cancelled.
    private func valueAtDeadline<Value: Sendable>(of task: Task<Value, Never>, isEarly: Bool) async throws -> Value? {
        let limit = AuthClient.Options().deadline
        let ended = Slot<Value>()
        let waiting = Task { ended.fill(await task.value) }
        defer { waiting.cancel() }
        let (least, step, moves): (Duration, Duration, Int) =
            isEarly ? (.zero, .seconds(6), 10) : (limit - .seconds(5), limit + .seconds(1), 2)
        for move in 1...moves {
            let isTimed = try await comes {
                ended.value != nil || clock.sleeps.contains { $0 > least && $0 <= limit }
            }
            guard ended.value == nil, isTimed else { break }
            clock.advance(by: step)
            // Only the last move waits for a long time. An earlier move can trigger a timer that does not end the call.
            _ = try await comes(within: isEarly || move < moves ? 100 : nil) { ended.value != nil }
        }
        if ended.value == nil { task.cancel() }
        return ended.value
    }
}
