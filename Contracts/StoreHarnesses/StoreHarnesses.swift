package import LockstepContracts

/// The harnesses for the stores of this package.
///
/// A worker process uses this type to open the place of a test.
package enum StoreHarnesses {
    /// All harnesses.
    ///
    /// The contracts of stores are checked on each harness.
    package static let all: [any StoreHarness] = [
        MemoryStoreHarness(), FileStoreHarness(), SQLiteStoreHarness(), PostgresStoreHarness(),
    ]

    /// Returns the store place that the arguments of a worker describe.
    ///
    /// - Parameter arguments: The name of the harness, then the arguments of the place.
    /// - Returns: The place; `nil` if the arguments are invalid.
    package static func place(_ arguments: [String]) -> (any StorePlace)? {
        switch (arguments.first, arguments.count) {
        case ("files", 2): FilePlace(path: arguments[1])
        case ("sqlite", 2): SQLitePlace(path: arguments[1])
        case ("postgres", _): PostgresPlace(Array(arguments.dropFirst()))
        default: nil
        }
    }
}
