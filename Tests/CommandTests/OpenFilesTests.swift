import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Commands with few file descriptors", .limitedConcurrency)
struct OpenFilesTests {
    /// A limit that the command cannot raise.
    ///
    /// On macOS it is 256 until a process raises it.
    private func run(_ words: String..., within limit: Int) async throws -> ChildProcess.Outcome {
        let script = "ulimit -n \(limit) && exec \"$@\""
        return try await ChildProcess.run(
            "sh", ["-c", script, "sh", Lockstep.executable] + words, within: .seconds(300))
    }

    @Test func compareRunsWithFewFileDescriptors() async throws {
        let run = try await run("compare", "--journeys", "sign-up,token", "--no-contracts", within: 256)
        #expect(run.status == 0, "\(String(decoding: run.errors, as: UTF8.self))")
    }

    /// Fewer environments run at the same time, but every contract is checked.
    @Test func contractsRunsWithFewFileDescriptors() async throws {
        let run = try await run("contracts", "--only", "session.refresh", "--format", "json", within: 128)
        #expect(run.status == 0, "\(run.text)\(String(decoding: run.errors, as: UTF8.self))")
        #expect(run.text.contains("\"verdict\": \"kept\""))
        #expect(!run.text.contains("\"verdict\": \"notChecked\""), "\(run.text)")
    }
}
