public import Lockstep

/// A type that sets up a place for the contracts of stores.
///
/// The author of a store writes a type that conforms to this protocol.
public protocol StoreHarness: Sendable {
    /// The name of the store in reports.
    var name: String { get }

    /// Sets up an empty place, calls a closure with the place, and removes the place.
    ///
    /// - Parameter body: The closure that receives the place.
    /// - Throws: The error that `body` throws, or the error that occurred when the place was set up or removed.
    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws
}

/// A place in which a store keeps its values, such as a folder or a database.
///
/// If a place does not support an operation, its function throws an ``EnvironmentError``. The contracts that need the operation
/// are then not checked. This is the default for every operation except ``open()``.
public protocol StorePlace: Sendable {
    /// The path of the folder that contains the files of the store, or `nil`.
    var folder: String? { get }

    /// Opens a store in this place, like a new process.
    ///
    /// - Throws: An error that ends the check.
    func open() async throws -> any SessionStore

    /// Opens the store of another user in this place.
    ///
    /// Use it for a store that separates the values of its users.
    ///
    /// - Parameter owner: The name of the user.
    /// - Throws: An error that ends the check.
    func open(for owner: String) async throws -> any SessionStore

    /// Opens a store in the folder with the given path or URL.
    ///
    /// - Parameter directory: The string that a program passes to the store: a path, a path that begins with `~`, or a URL.
    /// - Throws: An error that ends the check.
    func open(directory: String) async throws -> any SessionStore

    /// Empties the folder of the store and sets its permissions, without using the store.
    ///
    /// - Parameters:
    ///   - mode: The permissions in the format of `chmod`.
    ///   - isShared: Whether the folder also contains a file of another program.
    /// - Throws: An error that ends the check.
    func setFolder(mode: Int, isShared: Bool) async throws

    /// Returns the permissions of the store's folder in the format of `chmod`.
    ///
    /// - Throws: An error that ends the check.
    func folderMode() async throws -> Int

    /// Makes the place unreadable for the store, until ``unlock()`` is called.
    ///
    /// - Throws: An error that ends the check.
    func lock() async throws

    /// Makes the place readable again.
    ///
    /// - Throws: An error that ends the check.
    func unlock() async throws

    /// Returns whether the place contains some bytes, without using the store.
    ///
    /// - Throws: An error that ends the check.
    func contains(_ bytes: [UInt8]) async throws -> Bool

    /// Returns the parts of the place that other users can read.
    ///
    /// - Returns: The readable parts; empty if the place is private.
    /// - Throws: An error that ends the check.
    func readableByOthers() async throws -> [String]

    /// Damages the value under ``StoreCatalog/key``, without using the store. The store can then not read the value.
    ///
    /// - Returns: The damaged bytes, which the store must keep.
    /// - Throws: An error that ends the check.
    func damage() async throws -> [UInt8]

    /// Changes one bit of the value under ``StoreCatalog/key``, without using the store.
    ///
    /// - Parameter share: The position of the bit as a fraction: 0 is the first bit, and 0.5 is the middle bit.
    /// - Returns: A closure that changes the bit back.
    /// - Throws: An error that ends the check.
    func flip(at share: Double) async throws -> @Sendable () async throws -> Void

    /// Replaces the file that contains the value under ``StoreCatalog/key``.
    ///
    /// - Parameter obstacle: The object that replaces the file.
    /// - Throws: An error that ends the check.
    func plant(_ obstacle: StoreObstacle) async throws

    /// Deletes the files of the store and their folder, like a program that cleans up temporary folders.
    ///
    /// - Throws: An error that ends the check.
    func vanish() async throws

    /// Gives other users access to the files of the store.
    ///
    /// The group of the owner can read and write the files. All other users can read the files, and can write to the folder.
    ///
    /// - Throws: An error that ends the check.
    func expose() async throws

    /// The formats of all released versions of the store, oldest first.
    ///
    /// A format is never removed from this list.
    var formats: [String] { get }

    /// Replaces all contents of the place with a value of a released version, under ``StoreCatalog/key``.
    ///
    /// - Parameter format: The name of the format.
    /// - Returns: The bytes of the stored value.
    /// - Throws: An error that ends the check.
    func install(_ format: String) async throws -> [UInt8]

    /// Starts another process that works in this place with its own store.
    ///
    /// - Parameters:
    ///   - mutation: The name of the fault in the store of that process; `nil` for a store without a fault.
    ///   - room: The number of free bytes on the disk that the process sees; `nil` for the real disk.
    /// - Throws: An error that ends the check.
    func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess
}

/// An object that replaces a store's file.
public enum StoreObstacle: String, Sendable, Hashable, CaseIterable {
    /// A named pipe without a writer. A process that opens the pipe for reading waits.
    case pipe
    /// A folder.
    case folder
    /// A symbolic link to a file with the same bytes.
    case symbolicLink
    /// A file of 17 MB, larger than any file of a store.
    case oversize
}

extension StorePlace {
    /// Default implementation for a store without files: `nil`.
    public var folder: String? { nil }
    /// Default implementation: throws an error.
    ///
    /// - Parameter owner: The name of the user.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func open(for owner: String) async throws -> any SessionStore { throw EnvironmentError("the store has only one user") }
    /// Default implementation: throws an error.
    ///
    /// - Parameter directory: The path or the URL of the folder.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func open(directory: String) async throws -> any SessionStore { throw EnvironmentError("the store has no folder") }
    /// Default implementation: throws an error.
    ///
    /// - Parameters:
    ///   - mode: The permissions in the format of `chmod`.
    ///   - isShared: Whether the folder also contains a file of another program.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func setFolder(mode: Int, isShared: Bool) async throws { throw EnvironmentError("the store has no folder") }
    /// Default implementation: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func folderMode() async throws -> Int { throw EnvironmentError("the store has no folder") }
    /// Default implementation: throws an error.
    ///
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func lock() async throws { throw EnvironmentError("the harness cannot lock the store") }
    /// Default implementation: does nothing.
    ///
    /// - Throws: Nothing.
    public func unlock() async throws {}
    /// Default implementation: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func contains(_ bytes: [UInt8]) async throws -> Bool {
        throw EnvironmentError("the harness cannot read the stored bytes")
    }
    /// Default implementation: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func readableByOthers() async throws -> [String] { throw EnvironmentError("the store has no files") }
    /// Default implementation: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func damage() async throws -> [UInt8] { throw EnvironmentError("the harness cannot damage the store") }
    /// Default implementation: throws an error.
    ///
    /// - Parameter share: The position of the bit.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func flip(at share: Double) async throws -> @Sendable () async throws -> Void {
        throw EnvironmentError("the harness cannot change the stored bytes")
    }
    /// Default implementation: throws an error.
    ///
    /// - Parameter obstacle: The object that replaces the file.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func plant(_ obstacle: StoreObstacle) async throws { throw EnvironmentError("the store has no files") }
    /// Default implementation: throws an error.
    ///
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func vanish() async throws { throw EnvironmentError("the harness cannot delete stored values outside the store") }
    /// Default implementation: throws an error.
    ///
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func expose() async throws { throw EnvironmentError("the store has no files") }
    /// Default implementation: no formats.
    public var formats: [String] { [] }
    /// Default implementation: throws an error.
    ///
    /// - Parameter format: The name of the format.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func install(_ format: String) async throws -> [UInt8] {
        throw EnvironmentError("the store has only one stored format")
    }
    /// Default implementation: throws an error.
    ///
    /// - Parameters:
    ///   - mutation: The name of the fault in its store.
    ///   - room: The number of free bytes on the disk that the process sees.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess {
        throw EnvironmentError("another process cannot use the place")
    }
}

/// Another process that uses the same store place.
public protocol StoreProcess: Sendable {
    /// Returns the next line that the process prints.
    ///
    /// - Returns: The line; `nil` at the end of the output.
    /// - Throws: An error that ends the check.
    func line() async throws -> String?

    /// Kills the process immediately.
    ///
    /// The check can still read the lines that the process has printed.
    func kill() async
}
