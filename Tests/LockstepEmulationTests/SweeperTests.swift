import LockstepEmulation
import LockstepPrimitives
import LockstepSQLite
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct SweeperTests {
    /// Notes of the tests expire after an hour.
    ///
    /// A day later the next request removes them.
    @Test func expiredRowsAreRemovedByTheBackendsClock() async throws {
        try await withServer { server async throws in
            func count() throws -> Int {
                try server.emulator.database.read { try $0.value("SELECT count(*) FROM passes", as: Int.self) ?? 0 }
            }
            _ = try await send("POST", "/passes", to: server)
            server.panel.advance(by: .seconds(3600) + Sweeper.grace - .seconds(60))
            _ = try await send("POST", "/passes", to: server)
            var passes = try count()
            #expect(passes == 2)
            server.panel.advance(by: .seconds(120))
            _ = try await send("GET", "/constant", to: server)
            // After a recent sweep, the next one is ten minutes later.
            passes = try count()
            #expect(passes == 2)
            server.panel.advance(by: .seconds(600))
            _ = try await send("GET", "/constant", to: server)
            passes = try count()
            #expect(passes == 1)
            // A clock that was set back does not prevent it.
            try server.panel.reset()
            server.panel.advance(by: .seconds(-7200))
            _ = try await send("POST", "/passes", to: server)
            server.panel.advance(by: .seconds(3600) + Sweeper.grace + .seconds(1))
            _ = try await send("GET", "/constant", to: server)
            passes = try count()
            #expect(passes == 0)
        }
    }

    /// 3,000 users of 200 kB, then a reset.
    @Test func resetReleasesMemory() async {
        // In a separate process, because the memory of other tests would disturb the measurement.
        await #expect(processExitsWith: .success) {
            try await withServer { server async throws in
                let text = String(repeating: "x", count: 200_000)
                let before = try #require(CurrentProcess.residentMemory)
                try server.emulator.database.write { connection in
                    for number in 0..<1500 { try connection.run("INSERT INTO notes VALUES (\("n\(number)"), \(text))") }
                }
                let full = try #require(CurrentProcess.residentMemory)
                #expect(full - before > 250_000_000, "the test would prove nothing")
                try server.panel.reset()
                let after = try #require(CurrentProcess.residentMemory)
                #expect(after - before < 60_000_000, "\(before >> 20) MiB, \(full >> 20) MiB, \(after >> 20) MiB")
                #expect(try await send("PUT", "/notes/a", to: server, body: "x").status == 204)
            }
        }
    }
}
