internal import Lockstep
package import LockstepContracts
internal import LockstepPrimitives
internal import LockstepSystem

/// A harness for the store in files.
///
/// The harness uses its own folder.
package struct FileStoreHarness: StoreHarness {
    /// The name `files`.
    package let name = "files"

    /// Creates a harness.
    package init() {}

    /// Sets up an empty folder, passes the place to a closure, and removes the folder.
    ///
    /// - Parameter body: The closure that receives the place.
    /// - Throws: The error that `body` throws, or an error of the setup.
    package func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        try await StoreFolder.with { try await body(FilePlace(path: $0)) }
    }
}

/// A folder of session files.
struct FilePlace: ReachablePlace {
    let path: String
    var folder: String? { path }
    var arguments: [String] { ["files", path] }
    private var files: StoreFolder { StoreFolder(path: path) }

    func open() async throws -> any SessionStore { try FileSessionStore(directory: path) }

    func open(directory: String) async throws -> any SessionStore { try FileSessionStore(directory: directory) }

    func setFolder(mode: Int, isShared: Bool) async throws { try files.set(mode: mode, isShared: isShared) }

    func folderMode() async throws -> Int { try files.mode() }

    func lock() async throws { try files.lock() }

    func unlock() async throws { try files.unlock() }

    func contains(_ bytes: [UInt8]) async throws -> Bool { try files.contains(bytes) }

    func readableByOthers() async throws -> [String] { try files.readableByOthers() }

    /// Returns the name of the file with the value.
    private func name() throws -> String {
        guard let name = try Folder.names(path).first(where: { $0.hasSuffix(".lockstep") }) else {
            throw EnvironmentError("the folder contains no stored value")
        }
        return name
    }

    func flip(at share: Double) async throws -> @Sendable () async throws -> Void { try files.flip(name(), at: share) }

    func plant(_ obstacle: StoreObstacle) async throws { try await files.plant(obstacle, at: name()) }

    func vanish() async throws { try Folder.remove(path) }

    func expose() async throws { try files.expose() }

    /// Removes the end of the file.
    func damage() async throws -> [UInt8] {
        let name = try name()
        guard let whole = try AtomicFile.read("\(path)/\(name)")
        else { throw EnvironmentError("the folder contains no file to damage") }
        let damaged = Array(whole.dropLast(2))
        try AtomicFile.replace("\(path)/\(name)", with: damaged)
        return damaged
    }

    let formats = ["files-1", "files-2"]

    func install(_ format: String) async throws -> [UInt8] {
        let fixture = StoreFolder.fixtures + "/" + format
        for name in try Folder.names(path) { try AtomicFile.remove("\(path)/\(name)") }
        for name in try Folder.names(fixture) {
            guard let bytes = try AtomicFile.read("\(fixture)/\(name)") else { continue }
            try AtomicFile.replace("\(path)/\(name)", with: bytes)
            if name.hasPrefix("session-") { return Array(bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()) }
        }
        throw EnvironmentError("\(fixture) has no session")
    }
}
