public import Lockstep

/// The environment for checking the contracts of stores.
///
/// The author of a store implements it.
public protocol StoreHarness: Sendable {
    /// The store's name, as reports show it.
    var name: String { get }

    /// Sets up an empty place, runs `body` on it, and removes it.
    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws
}

/// A place where a store keeps its values.
///
/// An operation that a place does not support throws an ``EnvironmentError``, and contracts that need it are not checked. This is
/// the default for all operations except ``open()``.
public protocol StorePlace: Sendable {
    /// The folder of the store's files, if it has any.
    var folder: String? { get }

    /// A store on this place, as a new process would make it.
    func open() async throws -> any SessionStore

    /// A store of another user on this place, where the store keeps the values of its users apart.
    func open(for owner: String) async throws -> any SessionStore

    /// Returns a store in the folder that a text names: a path, a path that begins with `~`, or a URL.
    ///
    /// - Parameter directory: The text, as a program passes it to the store.
    /// - Returns: The store.
    /// - Throws: An error that ends the check: the place cannot be set up so.
    func open(directory: String) async throws -> any SessionStore

    /// Empties the store's folder and sets its permissions, past the store.
    ///
    /// - Parameters:
    ///   - mode: The permissions, as `chmod` writes them.
    ///   - isShared: Whether the folder holds a file of another program.
    /// - Throws: An error that ends the check: the place cannot be set up so.
    func setFolder(mode: Int, isShared: Bool) async throws

    /// Returns the permissions of the store's folder, as `chmod` writes them.
    func folderMode() async throws -> Int

    /// Makes the place unreadable for the store, until ``unlock()``.
    func lock() async throws

    /// Makes the place readable again.
    func unlock() async throws

    /// Whether these bytes are to be found anywhere in the place, by looking past the store.
    func contains(_ bytes: [UInt8]) async throws -> Bool

    /// The parts of the place that users other than its owner may read; empty if all is private.
    func readableByOthers() async throws -> [String]

    /// Damages, past the store, what it holds under ``StoreCatalog/key``, so that it cannot understand it.
    ///
    /// - Returns: the damaged bytes, which the store must keep.
    func damage() async throws -> [UInt8]

    /// Turns one bit, past the store, of what holds the value under ``StoreCatalog/key``.
    ///
    /// - Parameter share: Which bit it is: 0 is the first one, 1 would be the one after the last.
    /// - Returns: What turns it back.
    /// - Throws: An error that ends the check: the place cannot be set up so.
    func flip(at share: Double) async throws -> @Sendable () async throws -> Void

    /// Puts something else into the place of the file that holds the value under ``StoreCatalog/key``.
    func plant(_ obstacle: StoreObstacle) async throws

    /// Deletes the store's files and their folder, past the store, as a cleaner of temporary folders does.
    func vanish() async throws

    /// Lets the owner's group read and write the store's files, all other users read them, and all users write to their folder.
    func expose() async throws

    /// The forms in which released versions of the store wrote, the oldest first; never one less.
    var formats: [String] { get }

    /// Puts into the place what the released version of that format wrote under ``StoreCatalog/key``, in place of all that is there.
    ///
    /// - Returns: the bytes that it holds.
    func install(_ format: String) async throws -> [UInt8]

    /// Starts another process that works on this place, through a store of its own.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - mutation: The name of the fake for its store; `nil` for the store as it is.
    ///   - room: How many bytes the disk that it sees has left; `nil` for the disk as it is.
    /// - Returns: The process.
    /// - Throws: An error that ends the check: the place cannot be set up so.
    func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess
}

/// An object that replaces a store's file.
public enum StoreObstacle: String, Sendable, Hashable, CaseIterable {
    /// A named pipe without a writer, so that opening it for reading blocks.
    case pipe
    /// A folder.
    case folder
    /// A symbolic link to a file with the same bytes.
    case symbolicLink
    /// A file of 17 MB, larger than any file of a store.
    case oversize
}

extension StorePlace {
    /// Default: none.
    public var folder: String? { nil }
    /// Default: not supported.
    public func open(for owner: String) async throws -> any SessionStore { throw EnvironmentError("the store has one user") }
    /// Default: not supported.
    public func open(directory: String) async throws -> any SessionStore { throw EnvironmentError("the store has no folder") }
    /// Default: not supported.
    public func setFolder(mode: Int, isShared: Bool) async throws { throw EnvironmentError("the store has no folder") }
    /// Default: not supported.
    public func folderMode() async throws -> Int { throw EnvironmentError("the store has no folder") }
    /// Default: not supported.
    public func lock() async throws { throw EnvironmentError("the place cannot be locked") }
    /// Default: does nothing.
    public func unlock() async throws {}
    /// Default: not supported.
    public func contains(_ bytes: [UInt8]) async throws -> Bool { throw EnvironmentError("one cannot look past the store") }
    /// Default: not supported.
    public func readableByOthers() async throws -> [String] { throw EnvironmentError("the store has no files") }
    /// Default: not supported.
    public func damage() async throws -> [UInt8] { throw EnvironmentError("the place cannot be damaged") }
    /// Default: not supported.
    public func flip(at share: Double) async throws -> @Sendable () async throws -> Void {
        throw EnvironmentError("one cannot look past the store")
    }
    /// Default: not supported.
    public func plant(_ obstacle: StoreObstacle) async throws { throw EnvironmentError("the store has no files") }
    /// Default: not supported.
    public func vanish() async throws { throw EnvironmentError("what the store has written cannot be deleted past it") }
    /// Default: not supported.
    public func expose() async throws { throw EnvironmentError("the store has no files") }
    /// Default: none.
    public var formats: [String] { [] }
    /// Default: not supported.
    public func install(_ format: String) async throws -> [UInt8] {
        throw EnvironmentError("the store has written in one form only")
    }
    /// Default: not supported.
    public func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess {
        throw EnvironmentError("the place cannot be reached from another process")
    }
}

/// Another process at work on a place.
public protocol StoreProcess: Sendable {
    /// Returns the next line that it prints; `nil` at the end.
    func line() async throws -> String?

    /// Ends it without a chance to do anything more; what it has told can still be read.
    func kill() async
}
