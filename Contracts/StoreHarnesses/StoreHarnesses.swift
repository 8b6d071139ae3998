public import LockstepContracts

/// The harnesses of this package's stores, and the way to their places from another process.
public enum StoreHarnesses {
    /// All of them; the promises are checked on each.
    public static let all: [any StoreHarness] = [
        MemoryStoreHarness(), FileStoreHarness(), SQLiteStoreHarness(), PostgresStoreHarness(),
    ]

    /// The place that a worker's arguments name: the harness's name, then what the place gave along.
    public static func place(_ arguments: [String]) -> (any StorePlace)? {
        switch (arguments.first, arguments.count) {
        case ("files", 2): FilePlace(path: arguments[1])
        case ("sqlite", 2): SQLitePlace(path: arguments[1])
        case ("postgres", _): PostgresPlace(Array(arguments.dropFirst()))
        default: nil
        }
    }
}
