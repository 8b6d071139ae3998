public import Lockstep

/// What the author of a store writes so that the promises of stores can be checked on it.
public protocol StoreBench: Sendable {
    /// The store's name, as reports show it.
    var name: String { get }

    /// Sets up an empty place, runs `body` on it, and removes it.
    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws
}

/// A place where a store keeps its values.
public protocol StorePlace: Sendable {
    /// The folder of the store's files, where it has any.
    var folder: String? { get }

    /// A store on this place, as a new process would make it.
    func open() async throws -> any SessionStore

    /// Makes the place unreadable for the store, until ``unlock()``.
    ///
    /// - Throws: a ``StageError`` where it cannot be locked.
    func lock() async throws

    /// Makes the place readable again.
    func unlock() async throws

    /// Whether these bytes are to be found anywhere in the place, by looking past the store.
    ///
    /// - Throws: a ``StageError`` where one cannot look past it.
    func contains(_ bytes: [UInt8]) async throws -> Bool

    /// What in the place somebody else than its owner may read; empty where all is private.
    ///
    /// - Throws: a ``StageError`` where the store has no files.
    func readableByOthers() async throws -> [String]
}
