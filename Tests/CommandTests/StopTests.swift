import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep stop", .limitedConcurrency)
struct StopTests {
    @Test func endsTheServerAndWaitsForIt() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        let server = try await BlockingThread.run {
            try ServerProcess(["gotrue", "--export-on-exit", folder + "/users.jsonl"], lines: 1, variables: variables)
        }
        let run = try await Lockstep.run(["stop"], variables: variables)
        #expect(run.status == 0 && run.output.contains("Supabase (GoTrue)"), "\(run.errors)")
        // The export is written before the command returns, and the process has ended by itself.
        #expect(try FileStatus(of: folder + "/users.jsonl") != nil)
        let status = try await BlockingThread.run { try server.ended() }
        #expect(status == 0)
        let again = try await Lockstep.run(["stop"], variables: variables)
        #expect(again.status == 1 && again.output.isEmpty, "\(again.output)")
    }

    /// The emulators of exec belong to its command.
    @Test func leavesTheEmulatorsOfExec() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = "\"$0\" stop; echo \"status $?\"; \"$0\" wait && echo there"
        let run = try await Lockstep.run(
            ["exec", "gotrue", "--", "sh", "-c", script, Lockstep.executable],
            variables: ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""])
        #expect(run.status == 0 && run.output == "status 1\nthere\n", "\(run.output)\(run.errors)")
    }
}
