internal import Lockstep
internal import LockstepPrimitives

/// The result of a call.
func result<Value: Sendable>(
    of call: @Sendable () async throws(AuthError) -> Value
) async -> Result<Value, AuthError> {
    do throws(AuthError) { return .success(try await call()) } catch { return .failure(error) }
}

func named<Value>(_ outcome: Result<Value, AuthError>) -> String {
    switch outcome {
    case .success: "an answer"
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
        let faults = try need(environment.faults, "requests cannot be made to fail")
        let arrived = await soon { () -> Result<Void, any Error> in
            do { return .success(try await faults.untilHanging(count)) } catch { return .failure(error) }
        }
        try require(arrived, "no request was sent").get()
    }

    func release() async throws { try await need(environment.faults, "requests cannot be made to fail").release() }

    /// Checks that a call on a backend that never answers ends when its time is over, by the device's clock.
    ///
    /// - Parameters:
    ///   - what: The subject of the check.
    ///   - code: The code.
    ///   - asks: Whether it sends a request at all.
    ///   - isEarly: Whether it ends by a limit of its own, before the deadline.
    ///   - line: The line of the check in the source.
    ///   - call: The call.
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
        expect(outcome.failure?.code == code, "\(what) ended with \(named(outcome))", line: line)
    }

    /// Checks that a call ends at its deadline although the work that it waits for is held at a gate.
    func endsByItsDeadline(
        _ what: String, at gate: Gate, line: Int = #line, _ call: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        let outcome = try await ended(Task { await result(of: call) }, what, at: gate, line: line)
        let ending = outcome.failure?.code.rawValue ?? "an answer"
        expect(outcome.failure?.code == .timedOut, "\(what) ended with \(ending)", line: line)
    }

    /// Returns the result of a call that is held at a gate, once its time is over.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - what: The subject of the check.
    ///   - gate: The gate.
    ///   - isEarly: Whether it ends by a limit of its own, before the deadline.
    ///   - line: The line of the check in the source.
    /// - Returns: The result of a call that is held at a gate, once its time is over.
    /// - Throws: An error of the backend's controls; it ends the check.
    func ended<Value: Sendable>(
        _ task: Task<Value, Never>, _ what: String, at gate: Gate, isEarly: Bool = false, line: Int = #line
    ) async throws -> Value {
        expect(try await comes { gate.arrivals > 0 }, "\(what) did not come to where it hangs", line: line)
        let value = try await valueAtDeadline(of: task, isEarly: isEarly)
        if value == nil { gate.open() }
        return try require(value, "\(what) did not end by its deadline", line: line)
    }

    /// Moves the device's clock over the deadline of a call that waits for a response, as soon as the call has set its timer.
    ///
    /// Two moves at most: the first may have met the timer of something else. A call that ends by a limit of its own gets the same time
    /// in smaller parts.
    ///
    /// - Returns: the call's result; `nil` if it sets no timer that ends by the deadline, or continues after it. It is cancelled
    ///   then.
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
            // Only the last move waits at length: an earlier one may have met another timer, which ends no call.
            _ = try await comes(within: isEarly || move < moves ? 100 : nil) { ended.value != nil }
        }
        if ended.value == nil { task.cancel() }
        return ended.value
    }
}
