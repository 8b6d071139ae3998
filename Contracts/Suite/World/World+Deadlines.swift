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
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension World {
    func untilHanging(_ count: Int) async throws {
        let faults = try need(environment.faults, "requests cannot be made to fail")
        let arrived = await soon { () -> Bool in
            do { try await faults.untilHanging(count) } catch { return false }
            return true
        }
        _ = try require(arrived == true ? true : nil, "no request was sent")
    }

    func release() async throws { try await need(environment.faults, "requests cannot be made to fail").release() }

    /// Checks that a call on a backend that never answers ends when its time is over, by the device's clock.
    ///
    /// - Parameters:
    ///   - asks: Whether it sends a request at all.
    ///   - isEarly: Whether it ends by a limit of its own, before the deadline: the clock is then moved in steps that leave it time to
    ///     do so, as one move past both would let either of them win.
    func ends(
        _ what: String, _ code: AuthError.Code?, asks: Bool = true, isEarly: Bool = false, line: Int = #line,
        _ call: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        try await fail(with: .hang)
        let task = Task { await result(of: call) }
        var outcome: Result<Void, AuthError>?
        if asks { try await untilHanging(1) } else { outcome = await soon { await task.value } }
        // The call may set its timer a moment after its request has left, so that one move of the clock can come too early.
        let (step, wait, count): (Duration, Duration, Int) =
            isEarly ? (.seconds(6), .seconds(1), 20) : (.seconds(31), .milliseconds(25), 200)
        for _ in 0..<count where outcome == nil {
            clock.advance(by: step)
            outcome = await Race.first(limit: wait) { await task.value }
        }
        try await heal()
        try await release()
        guard let outcome else { return found("\(what) did not end", line: line) }
        expect(outcome.failure?.code == code, "\(what) ended with \(named(outcome))", line: line)
    }
}

extension World {
    /// Checks that a call ends at its deadline although the work that it waits for is held at a gate.
    func endsByItsDeadline(
        _ what: String, at gate: Gate, line: Int = #line, _ call: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        let outcome = try await ended(Task { await result(of: call) }, what, at: gate, line: line)
        let ending = outcome.failure?.code.rawValue ?? "an answer"
        expect(outcome.failure?.code == .timedOut, "\(what) ended with \(ending)", line: line)
    }

    func ended<Value: Sendable>(
        _ task: Task<Value, Never>, _ what: String, at gate: Gate, line: Int = #line
    ) async throws -> Value {
        expect(try await comes { gate.arrivals > 0 }, "\(what) did not come to where it hangs", line: line)
        // The call may set its timer a moment after it has come there, so that one move of the clock can come too early.
        for _ in 0..<200 {
            clock.advance(by: .seconds(31))
            if let value = await Race.first(limit: .milliseconds(25), { await task.value }) { return value }
        }
        return try require(nil, "\(what) did not end", line: line)
    }
}
