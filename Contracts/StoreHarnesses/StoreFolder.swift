internal import LockstepContracts
internal import LockstepPrimitives
internal import LockstepSystem

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Direct changes to a folder with a store's files, without the store.
struct StoreFolder: Sendable {
    let path: String
    private var aside: String { "\(path)-aside" }

    /// The path of the files that released versions have stored.
    static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Tests/Fixtures/Sessions").path

    /// Creates a folder, calls `body` with it, and removes it.
    static func with(_ body: @Sendable (String) async throws -> Void) async throws {
        let path = try Folder.makeTemporary(prefix: "lockstep-store")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    /// Replaces the folder with a file.
    ///
    /// Not even root can read a folder at this path.
    func lock() throws {
        try AtomicFile.rename(path, to: aside)
        try AtomicFile.replace(path, with: [])
    }

    /// Restores the folder.
    func unlock() throws {
        try AtomicFile.remove(path)
        try AtomicFile.rename(aside, to: path)
    }

    /// Replaces a file with another object.
    func plant(_ obstacle: StoreObstacle, at name: String) async throws {
        let file = "\(path)/\(name)"
        let bytes = try AtomicFile.read(file) ?? []
        try AtomicFile.remove(file)
        switch obstacle {
        case .pipe:
            guard try await ChildProcess.run("mkfifo", [file]).status == 0 else {
                throw EnvironmentError("the command mkfifo is not installed")
            }
        case .folder: try Folder.make(file)
        case .symbolicLink:
            try AtomicFile.replace("\(file).elsewhere", with: bytes)
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "\(file).elsewhere")
        case .oversize: try AtomicFile.replace(file, with: [UInt8](repeating: 7, count: 17 << 20))
        }
    }

    /// Flips one bit of a file.
    ///
    /// It counts only bytes other than zero, because most of these contain data.
    func flip(_ name: String, at share: Double) throws -> @Sendable () throws -> Void {
        let file = "\(path)/\(name)"
        guard let whole = try AtomicFile.read(file) else { throw EnvironmentError("the file \(name) does not exist") }
        let places = whole.indices.filter { whole[$0] != 0 }
        let number = Int(share * Double(places.count * 8))
        var bytes = whole
        bytes[places[number / 8]] ^= 1 << UInt8(number % 8)
        try AtomicFile.replace(file, with: bytes)
        return { try AtomicFile.replace(file, with: whole) }
    }

    /// Gives other users access to the folder and its files.
    func expose() throws {
        for name in try Folder.names(path) {
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: "\(path)/\(name)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    }

    /// Empties the folder, and sets its permissions.
    ///
    /// If it is shared, adds a file of another program.
    func set(mode: Int, isShared: Bool) throws {
        for name in try Folder.names(path) { try AtomicFile.remove("\(path)/\(name)") }
        if isShared { try AtomicFile.replace("\(path)/notes.txt", with: [1]) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Returns the permissions of the folder.
    func mode() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
    }

    /// Returns whether a file contains the bytes, in any encoding.
    func contains(_ bytes: [UInt8]) throws -> Bool {
        let search = SecretSearch(of: bytes)
        return try Folder.names(path).contains { name in
            guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return false }
            return search.isFound(in: Array(data))
        }
    }

    /// Returns the names of the files that users other than the owner can access.
    ///
    /// The name of the folder itself is empty.
    func readableByOthers() throws -> [String] {
        try ([""] + Folder.names(path)).filter { name in
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
            return (mode ?? 0o777) & 0o077 != 0
        }
    }
}
