public import LockstepContracts

/// The harnesses of this package's stores, and access to their places from another process.
public enum StoreHarnesses {
    /// All harnesses; the contracts are checked on each of them.
    public static let all: [any StoreHarness] = [
        MemoryStoreHarness(), FileStoreHarness(), SQLiteStoreHarness(), PostgresStoreHarness(),
    ]

    /// Returns the place for a worker's arguments: the harness's name, then the place's own arguments.
    public static func place(_ arguments: [String]) -> (any StorePlace)? {
        switch (arguments.first, arguments.count) {
        case ("files", 2): FilePlace(path: arguments[1])
        case ("sqlite", 2): SQLitePlace(path: arguments[1])
        case ("postgres", _): PostgresPlace(Array(arguments.dropFirst()))
        default: nil
        }
    }
}
