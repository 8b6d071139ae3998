import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Synchronization
import Testing

/// Requests on the emulators' kernel: real rows, real workers, and the leftovers of a run that is repeated.
@Suite(.limitedConcurrency)
struct TransactionRunnerTests {
    private struct Settings: Sendable {
        var greeting = "before"
    }

    private struct Refused: TransactionalError {
        var keepsChanges: Bool
        var sentence: String { "Refused." }
    }

    private struct Mishap: Error {}

    /// A record of work outside the transactions.
    private final class Journal: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private final class State: EmulatorState {

        let environment: EmulationEnvironment
        let database: Database
        let store = SettingsStore(Settings())
        let journal = Journal()

        init() throws {
            let clock = ManualClock(base: FixedClock())
            let randomness = SystemRandomness()
            environment = EmulationEnvironment(
                base: "http://127.0.0.1:1", clock: clock, randomness: randomness,
                outbox: Outbox(clock: clock, randomness: randomness), storage: .memory, workers: Workers(count: 1))
            database = try Database("runs", in: .memory, Schema(["CREATE TABLE notes (text TEXT NOT NULL)"]))
        }

        var settings: Settings { store.current }

        func response(to error: any Error, of request: EmulatorRequest) -> EmulatorResponse {
            .text("\(type(of: error)) at \(request.path)", status: error is Refused ? 400 : 500)
        }

        func notes() throws -> [String] {
            try database.read { db in
                try db.all("SELECT text FROM notes ORDER BY rowid") { row throws(SQLiteError) in try row[0] }
            }
        }
    }

    /// Writes its name into the journal, and does a test's work between two runs.
    private struct Work: DeferredWork {
        let name: String
        let journal: Journal
        var meanwhile: @Sendable () throws -> Void = {}

        func run(in environment: EmulationEnvironment) async throws -> String {
            try await environment.workers.run {
                journal.add(name)
                try meanwhile()
                return name.uppercased()
            }
        }

        static func == (left: Work, right: Work) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private func answer(
        _ state: State, _ run: EndpointRun = .repeats, by handler: @escaping Endpoint<State>.Handler
    ) async throws -> EmulatorResponse {
        let request = EmulatorRequest(method: "POST", target: "/notes")
        switch TransactionRunner(state).reply(to: request, Endpoint("POST", "/notes", (), run, handler)) {
        case .now(let response): return response
        case .later(let work): return try await work()
        }
    }

    private func text(_ response: EmulatorResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    /// An error that a handler catches must not send messages queued before it.
    @Test func rolledBackRequestSendsNothing() async throws {
        let state = try State()
        let response = try await answer(state) { context in
            func write(_ text: String) throws {
                try context.db.run("INSERT INTO notes VALUES (\(text))")
                context.send(.text(to: "+15551234567", text: text, code: "123456"), failure: Mishap())
            }
            try write("before")
            do {
                try context.wholly {
                    try write("refused")
                    try context.wholly { try write("refused inside") }
                    throw Refused(keepsChanges: true)
                }
            } catch is Refused {}
            try context.wholly { try write("kept") }
            return .text("done")
        }
        #expect(text(response) == "done")
        #expect(try state.notes() == ["before", "kept"])
        #expect(state.environment.outbox.shortMessages.map(\.text) == ["kept", "before"])
    }

    @Test func aHandlerRunsAgainAfterEachWork() async throws {
        let state = try State()
        let journal = state.journal
        let response = try await answer(state) { context in
            journal.add("run \(context.uuid()) \(context.code("mail", length: 6)) \(context.nextID(of: "user") { $0.text(8) })")
            if context.isFirst("counted") { journal.add("counted") }
            try context.db.run("INSERT INTO notes VALUES ('written')")
            let first = try context.result(of: Work(name: "first", journal: journal))
            let second = try context.result(of: Work(name: "second", journal: journal))
            let again = try context.result(of: Work(name: "first", journal: journal))
            return .text([first, second, again, context.uuid()].joined(separator: " "))
        }
        #expect(text(response).hasPrefix("FIRST SECOND FIRST "))
        #expect(try state.notes() == ["written"])
        let lines = journal.all
        #expect(lines.filter { !$0.hasPrefix("run") } == ["counted", "first", "second"])
        let runs = lines.filter { $0.hasPrefix("run") }
        #expect(runs.count == 3)
        #expect(Set(runs).count == 1)
        #expect(!runs[0].contains(text(response).split(separator: " ")[3]))
    }

    @Test func aRequestKeepsItsSettingsAndItsTime() async throws {
        let state = try State()
        let journal = state.journal
        let handler: Endpoint<State>.Handler = { context in
            let state = context.state
            let work = Work(name: "change", journal: journal) {
                state.store.change { $0.greeting = "after" }
                state.environment.clock.advance(by: .seconds(60))
            }
            let before = "\(context.settings.greeting) \(context.now.seconds)"
            _ = try context.result(of: work)
            return .text(before)
        }
        let start = state.environment.now.seconds
        #expect(text(try await answer(state, by: handler)) == "before \(start)")
        #expect(text(try await answer(state, by: handler)) == "after \(start + 60)")
    }

    @Test(arguments: [true, false]) func errorDecidesWhetherChangesAreKept(_ keeps: Bool) async throws {
        let state = try State()
        let response = try await answer(state) { context in
            context.headers.append(("X-Seen", "yes"))
            try context.db.run("INSERT INTO notes VALUES ('attempt')")
            context.send(.mail(OutgoingMail(to: "ada@example.com", subject: "s", text: "t")), failure: Mishap())
            throw Refused(keepsChanges: keeps)
        }
        #expect(response.status == 400)
        #expect(text(response) == "Refused at /notes")
        #expect(response.headers["x-seen"] == "yes")
        #expect(try state.notes() == (keeps ? ["attempt"] : []))
        #expect(state.environment.outbox.mails(to: "ada@example.com").isEmpty)
    }

    @Test func messagesAreSentOnceAndBeforeTheCommit() async throws {
        let state = try State()
        let journal = state.journal
        let handler: Endpoint<State>.Handler = { context in
            try context.db.run("INSERT INTO notes VALUES ('told')")
            context.send(.text(to: "+15551234567", text: "Code 123456", code: "123456"), failure: Refused(keepsChanges: false))
            _ = try context.result(of: Work(name: "later", journal: journal))
            return .empty()
        }
        #expect(try await answer(state, by: handler).status == 204)
        #expect(state.environment.outbox.shortMessages.count == 1)
        state.environment.outbox.isReachable = false
        #expect(try await answer(state, by: handler).status == 400)
        #expect(try state.notes() == ["told"])
    }

    @Test func handlerThatAlwaysRequestsWorkIsEnded() async throws {
        let state = try State()
        let journal = state.journal
        let response = try await answer(state) { context in
            _ = try context.result(of: Work(name: "\(journal.all.count)", journal: journal))
            return .empty()
        }
        #expect(response.status == 500)
        #expect(journal.all.count == 12)
    }

    @Test func failedWorkEndsItsRequest() async throws {
        let state = try State()
        let journal = state.journal
        let response = try await answer(state) { context in
            try context.db.run("INSERT INTO notes VALUES ('half')")
            return .text(try context.result(of: Work(name: "fails", journal: journal) { throw Mishap() }))
        }
        #expect(response.status == 500)
        #expect(text(response) == "Mishap at /notes")
        #expect(try state.notes().isEmpty)
    }

    @Test func requestWaitsForAValueInPreparation() async throws {
        let state = try State()
        let prepared = Prepared(on: state.environment.workers) { "key" }
        let response = try await answer(state, .repeatsReading) { context in .text(try context.value(of: prepared)) }
        #expect(text(response) == "key")
        guard
            case .now = TransactionRunner(state).reply(
                to: EmulatorRequest(method: "GET", target: "/"),
                .get("/", (), .repeatsReading) { context in .text(try context.value(of: prepared)) })
        else {
            Issue.record("The key is there, and the answer waits for a worker.")
            return
        }
    }

    @Test func administratorsBodyRunsAgain() async throws {
        let state = try State()
        let journal = state.journal
        let body: @Sendable (RequestContext<State>) throws -> String = { context in
            try context.db.run("INSERT INTO notes VALUES ('by an administrator')")
            return try context.result(of: Work(name: "hash", journal: journal))
        }
        #expect(throws: NeedsDeferredWork.self) { try TransactionRunner(state).perform(body) }
        #expect(try state.notes().isEmpty)
        #expect(try await TransactionRunner(state).performWithDeferredWork(body) == "HASH")
        #expect(try state.notes() == ["by an administrator"])
        #expect(journal.all == ["hash"])
    }
}
