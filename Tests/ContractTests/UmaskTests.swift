import Foundation
import LockstepContracts
import LockstepStoreHarnesses
import Testing

/// Files are their owner's alone, whatever the umask of the process that makes them.
///
/// Cases: G03.
@Suite("Files under another umask")
struct UmaskTests {
    @Test(arguments: ["files", "sqlite"], ["000", "077", "777"])
    func permissionsAreTheStoresOwn(_ store: String, _ umask: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-umask-\(store)-\(umask)-\(getpid())")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let words = WorkerProcess.command("store") + StoreTask.add(1).words + ["-", store, folder]
        let worker = try WorkerProcess("sh", ["-c", "umask \(umask); exec \"$@\"", "sh"] + words)
        let line = try await worker.line()
        #expect(line == "done")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        await worker.kill()
    }
}
