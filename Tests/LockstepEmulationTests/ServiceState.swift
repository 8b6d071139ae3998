import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite
import Synchronization

/// An emulator's state without routes, for tests of one service.
final class ServiceState: EmulatorState {

    let environment: EmulationEnvironment
    let database: Database
    let settings = 0

    init(
        _ tables: [String] = [], storage: Storage = .memory, randomness: any Randomness = SystemRandomness(),
        workers: Workers = Workers(count: 1)
    ) throws {
        let clock = ManualClock(base: FixedClock())
        environment = EmulationEnvironment(
            base: "http://127.0.0.1:1", clock: clock, randomness: randomness,
            outbox: Outbox(clock: clock, randomness: randomness), storage: storage, workers: workers)
        database = try Database("service", in: storage, Schema(tables))
    }

    func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse { .text("\(error)", status: 500) }

    /// Runs a handler, and runs it again after each deferred work.
    func run<Value: Sendable>(_ handler: (RequestContext<ServiceState>) throws -> Value) async throws -> Value {
        try await TransactionRunner(self).performWithDeferredWork(handler)
    }
}

/// Another server whose responses a test decides: an identity provider, a listener for events.
final class OtherServer: Emulator {
    static let provider = "listener"

    private let seen = Mutex<[EmulatorRequest]>([])
    private let answer: @Sendable (EmulatorRequest) async throws -> EmulatorResponse

    init(_ answer: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse) { self.answer = answer }

    /// Every request so far.
    var requests: [EmulatorRequest] { seen.withLock(\.self) }

    func reset() {}

    var router: Router {
        var router = Router()
        router.failed = { error, _ in .text("\(error)", status: 500) }
        let reply: @Sendable (EmulatorRequest) -> Reply = { request in
            self.seen.withLock { $0.append(request) }
            return .later { try await self.answer(request) }
        }
        router.on("GET", "/{path...}", reply)
        router.on("POST", "/{path...}", reply)
        return router
    }

    /// Starts a server, and stops it after `body`.
    static func with<Value>(
        answering answer: @escaping @Sendable (EmulatorRequest) async throws -> EmulatorResponse,
        _ body: (OtherServer, _ base: String) async throws -> Value
    ) async throws -> Value {
        let server = try EmulatorServer { _ in OtherServer(answer) }
        defer { server.stop() }
        return try await body(server.emulator, server.base)
    }
}
