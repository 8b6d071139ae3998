internal import LockstepContracts
internal import LockstepPrimitives
internal import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What can be done to a folder of a store's files past the store.
struct StoreFolder: Sendable {
    let path: String
    private var aside: String { "\(path)-aside" }

    /// What released versions have written.
    static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Tests/Fixtures/Sessions").path

    /// Runs `body` on a new folder, and removes it.
    static func with(_ body: @Sendable (String) async throws -> Void) async throws {
        let path = try Folder.makeTemporary(prefix: "lockstep-store")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    /// Puts folders in the place of the files: what cannot be read even by the superuser.
    func lock(_ isValue: (String) -> Bool) throws {
        try Folder.make(aside)
        for name in try Folder.names(path).filter(isValue) {
            try AtomicFile.rename("\(path)/\(name)", to: "\(aside)/\(name)")
            try Folder.make("\(path)/\(name)")
        }
    }

    /// Puts the files back.
    func unlock() throws {
        for name in try Folder.names(aside) {
            try Folder.remove("\(path)/\(name)")
            try AtomicFile.rename("\(aside)/\(name)", to: "\(path)/\(name)")
        }
        try Folder.remove(aside)
    }

    /// Whether the bytes, or their Base64, are in any file.
    func contains(_ bytes: [UInt8]) throws -> Bool {
        let wanted = [Data(bytes), Data(Base64.encode(bytes).utf8)]
        for name in try Folder.names(path) {
            guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
            if wanted.contains(where: { data.firstRange(of: $0) != nil }) { return true }
        }
        return false
    }

    /// The names of the files that are not their owner's alone; the folder itself has an empty name.
    func readableByOthers() throws -> [String] {
        try ([""] + Folder.names(path)).filter { name in
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
            return (mode ?? 0o777) & 0o077 != 0
        }
    }
}
