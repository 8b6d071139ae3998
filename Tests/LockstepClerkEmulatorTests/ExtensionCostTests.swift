import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepClerkEmulator

/// An app that does not use an extension has no cost from it.
@Suite(.limitedConcurrency)
struct ExtensionCostTests {
    /// A handler that compares a password runs twice.
    ///
    /// The comparison runs between the two, outside a transaction.
    private static let runsWithPassword = 2

    @Test func passwordSignInReadsEnterpriseConnectionsOnceInEachRun() async throws {
        let company = try Company()
        let emulator = company.emulator
        try await emulator.device().signUp("ada@example.com")
        let whole = try await readings(emulator) {
            let form: HTTPForm = ["strategy": "password", "identifier": "ada@example.com", "password": TestEmulator.password]
            let done = try await emulator.device().post("/client/sign_ins", form)
            #expect(done["status"] == "complete")
        }
        #expect(whole == Self.runsWithPassword)

        let device = emulator.device()
        var id = ""
        let first = try await readings(emulator) {
            id = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])["id"]
        }
        #expect(first == 1)
        let second = try await readings(emulator) {
            let form: HTTPForm = ["strategy": "password", "password": TestEmulator.password]
            let done = try await device.post("/client/sign_ins/\(id)/attempt_first_factor", form)
            #expect(done["status"] == "complete")
        }
        #expect(second == Self.runsWithPassword)
    }

    /// The number of times that the emulator reads the table of enterprise connections during `body`.
    private func readings(_ emulator: TestEmulator, of body: () async throws -> Void) async throws -> Int {
        let before = try count(emulator)
        try await body()
        return try count(emulator) - before
    }

    private func count(_ emulator: TestEmulator) throws -> Int {
        try emulator.server.emulator.state.database.read { connection in
            connection.runs.filter { $0.key.contains("FROM enterprise_connections") }.values.reduce(0, +)
        }
    }
}
