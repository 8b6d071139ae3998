import LockstepCrypto
import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite
import LockstepTestConcurrency
import Synchronization
import Testing

/// Events that a listener receives over real HTTP.
@Suite(.limitedConcurrency)
struct EventQueueTests {
    private struct Note: QueuedEvent {
        var id = ""
        var failures = 0

        static let table = Table<Note>("notes", [Column("id", \.id, .key), Column("failures", \.failures)])
    }

    private func state(_ ids: String...) throws -> ServiceState {
        let state = try ServiceState([Note.table.definition])
        try queue(ids, in: state)
        return state
    }

    private func queue(_ ids: [String], in state: ServiceState) throws {
        try state.database.write { db in
            for id in ids { try db.save(Note(id: id)) }
        }
    }

    private func waiting(_ state: ServiceState) throws -> [Note] {
        try state.database.read { try $0.all(Note.self, "1 = 1 ORDER BY rowid") }
    }

    @Sendable private static func request(_ note: Note, _ base: String) -> OutgoingRequest {
        OutgoingRequest("POST", base + "/hook", body: Array(note.id.utf8), event: "note.made")
    }

    private func bodies(_ listener: OtherServer) -> [String] {
        listener.requests.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test(arguments: [1, 5])
    func sendsInTheOrderOfTheQueue(attempts: Int) async throws {
        let state = try state("c", "a", "b")
        try await OtherServer.with(answering: { _ in .empty(status: 202) }) { listener, base async throws in
            let queue = EventQueue<Note>(state.database, in: state.environment, attempts: attempts)
            await queue.send { Self.request($0, base) }
            #expect(bodies(listener) == ["c", "a", "b"])
            #expect(try waiting(state).isEmpty)
        }
    }

    @Test func failedEventIsRetriedUntilItsLastAttempt() async throws {
        let state = try state("a", "b")
        try await OtherServer.with(answering: { $0.body == Array("a".utf8) ? .empty(status: 500) : .empty() }) {
            listener, base async throws in
            let queue = EventQueue<Note>(state.database, in: state.environment, attempts: 3)
            await queue.send { Self.request($0, base) }
            #expect(bodies(listener) == ["a"])
            #expect(try waiting(state).map(\.id) == ["a", "b"])
            #expect(try waiting(state).map(\.failures) == [1, 0])
            await queue.send { Self.request($0, base) }
            await queue.send { Self.request($0, base) }
            #expect(bodies(listener) == ["a", "a", "a", "b"])
            #expect(try waiting(state).isEmpty)
            #expect(state.environment.deliveries.entries.map(\.attempt) == [1, 2, 3, 1])
        }
    }

    @Test func eventWithOneAttemptIsDroppedAfterAFailure() async throws {
        let state = try state("a", "b")
        try await OtherServer.with(answering: { _ in .empty(status: 500) }) { listener, base async throws in
            await EventQueue<Note>(state.database, in: state.environment).send { Self.request($0, base) }
            #expect(bodies(listener) == ["a", "b"])
            #expect(try waiting(state).isEmpty)
        }
    }

    @Test func requestDuringACallGetsItsOwnCall() async throws {
        let state = try state("a")
        let queue = EventQueue<Note>(state.database, in: state.environment, attempts: 5)
        let isFirst = Mutex(true)
        let base = Mutex("")
        try await OtherServer.with(answering: { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return .empty() }
            // The second request ends before the first call has a response.
            let base = base.withLock(\.self)
            await queue.send { Self.request($0, base) }
            return .empty(status: 500)
        }) { listener, address async throws in
            base.withLock { $0 = address }
            await queue.send { Self.request($0, address) }
            #expect(bodies(listener) == ["a", "a"])
            #expect(try waiting(state).isEmpty)
        }
    }

    @Test func eventRemovedByAResetDoesNotReturn() async throws {
        let state = try state("a")
        let database = state.database
        try await OtherServer.with(answering: { _ in
            try database.erase()
            return .empty(status: 500)
        }) { _, base async throws in
            await EventQueue<Note>(database, in: state.environment, attempts: 5).send { Self.request($0, base) }
            #expect(try waiting(state).isEmpty)
        }
    }

    @Test func deliveriesRecordTheCallAndItsOutcome() async throws {
        let state = try ServiceState()
        try await OtherServer.with(answering: { _ in .empty(status: 418) }) { _, base async throws in
            let call = OutgoingRequest("POST", base + "/hook", body: Array("{}".utf8), event: "user.made")
            let nowhere = OutgoingRequest("POST", "https://hook.example", event: "user.gone")
            _ = try await call.run(in: state.environment)
            _ = try await nowhere.run(in: state.environment)
            // A call without an event is not a delivery.
            _ = try await OutgoingRequest("GET", base + "/keys").run(in: state.environment)
            let entries = state.environment.deliveries.entries
            #expect(entries.map(\.event) == ["user.made", "user.gone"])
            #expect(entries.map(\.address) == [base + "/hook", "https://hook.example"])
            #expect(entries.map(\.outcome) == [.success(418), .failure(.notLocal)])
            #expect(entries.map(\.number) == [1, 2] && entries.allSatisfy { $0.date == state.environment.now })
        }
    }

    @Test func keepsOnlyTheLastDeliveries() async throws {
        let state = try ServiceState()
        for number in 1...205 {
            _ = try await OutgoingRequest("POST", "x", body: Array(repeating: 1, count: 20_000), event: "\(number)")
                .run(in: state.environment)
        }
        let entries = state.environment.deliveries.entries
        #expect(entries.count == 200 && entries.last?.number == 205 && entries.first?.event == "6")
        #expect(entries.allSatisfy { $0.body.count == 16 << 10 })
    }

    @Test func shownDeliveriesHaveNoSecrets() async throws {
        let server = try EmulatorServer { try NotesEmulator(in: $0) }
        defer { server.stop() }
        let body: JSON = ["data": ["id": "u", "password": "correct horse", "link": "http://h/?token=abcdefgh"]]
        let call = OutgoingRequest("POST", "http://u:p4ss@hook.example/x?token=abcdefgh", body: body.bytes(), event: "user.made")
        _ = try await call.run(in: server.environment)
        let shown = server.panel.shownDeliveries
        let text = JSON.array(shown).text()
        #expect(!text.contains("correct horse") && !text.contains("abcdefgh") && !text.contains("p4ss"))
        #expect(shown.first?["event"] == "user.made" && shown.first?["attempt"] == 1 && shown.first?["status"] == .null)
        #expect(shown.first?["body"]?["data"]?["id"] == "u")
        #expect(shown.first?["failure"]?.string?.isEmpty == false)
        let listed = try await send("GET", "/__lockstep/deliveries", to: server, headers: server.control).json
        #expect(listed == ["deliveries": .array(shown), "last": 1])
        #expect(
            try await send("GET", "/__lockstep/deliveries?after=1", to: server, headers: server.control).json["deliveries"] == [])
        #expect(server.panel.changes.changes(after: 0).kinds.contains(.deliveries))
        try server.panel.reset()
        #expect(server.panel.shownDeliveries.isEmpty)
    }

    @Test func signsWithEverySecretAtTheMachinesTime() throws {
        let state = try ServiceState()
        let start = state.environment.now
        state.environment.clock.advance(by: .seconds(86_400))
        let (key, body) = (Array("0123456789abcdef".utf8), Array("{}".utf8))
        let secrets: [Secret] = [Secret("v1,whsec_" + Base64.encode(key)), Secret("whsec_" + Base64.encode(key)), "whsec_%"]
        let signature = WebhookSignature(
            id: "m", body: body, secrets: secrets, at: state.environment.now, in: state.environment)
        #expect(signature.stamp == String(start.seconds))
        let expected = HashFunction.sha256.authenticate(Array("m.\(start.seconds).{}".utf8), key: key)
        #expect(signature.signatures == Array(repeating: "v1," + Base64.encode(expected), count: 2))
    }
}
