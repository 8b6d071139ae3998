import Foundation
import LockstepContracts
import LockstepStoreHarnesses
import Testing

/// Only the owner can read the files, whatever the umask of the process.
@Suite("Files with another umask")
struct UmaskTests {
    @Test(arguments: ["files", "sqlite"], ["000", "077", "777"])
    func permissionsIgnoreTheUmask(_ store: String, _ umask: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-umask-\(store)-\(umask)-\(getpid())")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func worker(_ task: StoreTask) throws -> WorkerProcess {
            let words = WorkerProcess.command("store") + task.words + ["-", store, folder]
            return try WorkerProcess("sh", ["-c", "umask \(umask); exec \"$@\"", "sh"] + words)
        }
        let writer = try worker(.add(1))
        #expect(try await writer.line() == "done")
        // SQLite removes some of its files with its last connection. The test checks them after that connection closes, while
        // another stays open.
        #expect(try await writer.line() == nil)
        try expectOwnersAlone(in: folder)
        let holder = try worker(.hold)
        #expect(try await holder.line() == "inside")
        try expectOwnersAlone(in: folder)
        await holder.kill()
    }

    private func expectOwnersAlone(in folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }
}
