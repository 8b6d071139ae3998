import Foundation
import Lockstep
import LockstepContracts
import LockstepPrimitives

struct MemoryStoreBench: StoreBench {
    let name = "memory"

    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws { try await body(MemoryPlace()) }
}

private struct MemoryPlace: StorePlace {
    let store = MemorySessionStore()
    var folder: String? { nil }

    func open() async throws -> any SessionStore { store }

    func lock() async throws { throw StageError("a store in memory cannot be locked") }

    func unlock() async throws {}

    func contains(_ bytes: [UInt8]) async throws -> Bool {
        for key in try await store.keys() where try await store.load(key)?.bytes == bytes { return true }
        return false
    }

    func readableByOthers() async throws -> [String] { throw StageError("a store in memory has no files") }
}

struct FileStoreBench: StoreBench {
    let name = "files"

    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(SystemRandomness().uuid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(FolderPlace(path: folder))
    }
}

private struct FolderPlace: StorePlace {
    let path: String
    var folder: String? { path }
    private var aside: String { "\(path)-aside" }

    func open() async throws -> any SessionStore { try FileSessionStore(directory: path) }

    /// Where a file should be there is a folder: what cannot be read even by the superuser.
    func lock() async throws {
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
        for name in try values() {
            try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(aside)/\(name)")
            try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
        }
    }

    func unlock() async throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: aside) {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            try FileManager.default.moveItem(atPath: "\(aside)/\(name)", toPath: "\(path)/\(name)")
        }
        try FileManager.default.removeItem(atPath: aside)
    }

    private func values() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".lockstep") }
    }

    func contains(_ bytes: [UInt8]) async throws -> Bool {
        let wanted = [Data(bytes), Data(Data(bytes).base64EncodedString().utf8)]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
            if wanted.contains(where: { data.range(of: $0) != nil }) { return true }
        }
        return false
    }

    func readableByOthers() async throws -> [String] {
        try ([""] + FileManager.default.contentsOfDirectory(atPath: path)).filter { name in
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
            return (mode ?? 0o777) & 0o077 != 0
        }
    }
}
