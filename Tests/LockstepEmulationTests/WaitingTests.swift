import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Requests that wait for an event (`?wait=`).
@Suite(.limitedConcurrency)
struct WaitingTests {
    private static let waiters = 50
    private static let history = 200
    private static let news = 20

    /// Each client reads what is new since its last look, whatever was recorded before, and the secrets of a record are collected
    /// once for all clients.
    @Test func workDoesNotGrowWithTheHistory() async throws {
        try await withServer { server async throws in
            func note() async throws {
                let form = "to=ada@example.com&password=s3cret-\(server.panel.changes.number)"
                _ = try await send("POST", "/mail", to: server, body: form)
            }
            for _ in 0..<Self.history { try await note() }
            let log = server.panel.changes
            try await withThrowingTaskGroup(of: Int.self) { group in
                let queries = [
                    ("/deliveries", []), ("/messages", [("to", "bob@example.com")]), ("/requests", [("path", "/constant")]),
                ]
                for (path, query) in queries {
                    for _ in 0..<Self.waiters {
                        group.addTask {
                            await server.controlCalls.send("GET", path, query: query + [("wait", "300")]).status
                        }
                    }
                }
                func everyoneWaits(_ count: Int) async { while log.waiterCount < count { await Task.yield() } }
                await everyoneWaits(3 * Self.waiters)
                let start = log.recordsRead
                for _ in 0..<Self.news {
                    try await note()
                    await everyoneWaits(3 * Self.waiters)
                }
                let read = log.recordsRead
                #expect(read - start <= 2 * Self.waiters * Self.news)
                _ = try await send("GET", "/constant", to: server)
                for _ in 0..<Self.waiters { #expect(try await group.next() == 200) }
                // Each of them has shown one record. One of them has collected the secrets of all mails and requests.
                #expect(log.recordsRead - read <= 2 * Self.waiters + 2 * (Self.history + Self.news + 1))
                group.cancelAll()
            }
        }
    }

    /// A reset starts the numbers again, also for a client that has waited since before.
    @Test func waitContinuesAfterAReset() async throws {
        try await withServer { server async throws in
            for _ in 0..<5 { _ = try await send("GET", "/constant", to: server) }
            async let waited = server.controlCalls.send(
                "GET", "/requests", query: [("path", "/notes/*"), ("wait", "300")])
            while server.panel.changes.waiterCount == 0 { await Task.yield() }
            try server.panel.reset()
            _ = try await send("GET", "/notes/none", to: server)
            #expect(await waited.document["last"] == 1)
        }
    }
}
