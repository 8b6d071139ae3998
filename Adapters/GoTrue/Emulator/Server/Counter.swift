internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Runs handlers: one transaction per request, deferred work between the runs.
struct Counter: Sendable {
    let core: Core

    /// The maximum number of runs of a handler.
    private static let attemptLimit = 12

    func reply(to request: EmulatorRequest, by endpoint: some Endpoint) -> Reply {
        switch run(endpoint, request, Turn.Memory()) {
        case .done(let response): .now(response)
        case .needs(let deferredWork, let memory):
            .later { [self] in
                var deferredWork = deferredWork
                var memory = memory
                for _ in 0..<Self.attemptLimit {
                    let due = deferredWork
                    memory.results[due] = try await core.environment.workers.run { core.run(due) }
                    switch run(endpoint, request, memory) {
                    case .done(let response): return response
                    case .needs(let next, let kept):
                        deferredWork = next
                        memory = kept
                    }
                }
                return answer(request).response(to: .unhandled)
            }
        }
    }

    func answer(_ request: EmulatorRequest) -> ErrorAnswer {
        ErrorAnswer(version: APIVersion(request), randomness: core.environment.randomness)
    }

    private enum Outcome: Sendable {
        case done(EmulatorResponse)
        case needs(DeferredWork, Turn.Memory)
    }

    /// Carries a run's results out of a transaction that is rolled back.
    private struct Undone: Error {
        var error: any Error
        var memory: Turn.Memory
        var notes: [(name: String, value: String)]
    }

    private func run(_ endpoint: some Endpoint, _ request: EmulatorRequest, _ memory: Turn.Memory) -> Outcome {
        do {
            let body = { (db: inout SQLiteConnection) throws -> EmulatorResponse in
                memory.ids.rewind()
                var turn = Turn(core: core, request: request, now: core.environment.now, memory: memory)
                do {
                    var response: EmulatorResponse
                    do {
                        response = try endpoint.answer(&turn, &db)
                        try turn.post()
                    } catch let error as GoTrueError where error.keepsChanges {
                        response = turn.refusal(error)
                    }
                    for (name, value) in turn.notes { response.headers[name] = value }
                    return response
                } catch {
                    throw Undone(error: error, memory: turn.memory, notes: turn.notes)
                }
            }
            return .done(try endpoint.isReading ? core.database.read(body) : core.database.write(body))
        } catch let undone as Undone {
            if let needed = undone.error as? NeedsDeferredWork { return .needs(needed.deferredWork, undone.memory) }
            if let redirected = undone.error as? Redirected {
                return .done(.goRedirect(redirected.location, status: redirected.status))
            }
            let error = undone.error as? GoTrueError ?? .unhandled
            var response = answer(request).response(to: error)
            for (name, value) in undone.notes { response.headers[name] = value }
            return .done(response)
        } catch {
            return .done(answer(request).response(to: .unhandled))
        }
    }
}
