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

    /// A script never ends the server of another terminal by chance.
    @Test func severalServersAreNamed() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        let servers = try await BlockingThread.run {
            try ["gotrue", "clerk", "firebase"].map { try ServerProcess([$0], lines: 1, variables: variables) }
        }
        defer { servers.forEach { $0.kill() } }
        let bases = try servers.map { try #require($0.lines.first?["base"]?.string) }
        let none = try await Lockstep.run(["stop"], variables: variables)
        #expect(none.status == 2 && bases.allSatisfy(none.errors.contains), "\(none.errors)")
        let status = try await Lockstep.run(["status"], variables: variables)
        #expect(bases.allSatisfy { status.output.contains("  lockstep stop \($0)\n") }, "\(status.output)")
        #expect(try await Lockstep.run(["stop", "http://127.0.0.1:1"], variables: variables).status == 1)
        #expect(try await Lockstep.run(["stop", bases[0], "--all"], variables: variables).status == 2)
        let one = try await Lockstep.run(["stop", bases[0] + "/"], variables: variables)
        #expect(one.status == 0 && one.output.contains("Supabase"), "\(one.errors)")
        #expect(try await Lockstep.run(["wait", "--timeout", "0", bases[0]], variables: variables).status == 1)
        #expect(try await Lockstep.run(["wait", "--timeout", "0", bases[1]], variables: variables).status == 0)
        #expect(try await Lockstep.run(["stop", "--all"], variables: variables).status == 0)
        let ended = try await BlockingThread.run { try servers.map { try $0.ended() } }
        #expect(ended == [0, 0, 0])
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
