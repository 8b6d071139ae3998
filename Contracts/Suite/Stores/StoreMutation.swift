public import Lockstep

/// A fake of a store on a place, to test that a check can fail.
public struct StoreMutation: Sendable {
    /// The name under which another process finds it; `nil` for none.
    public let name: String?
    /// Changes the text that names a store's folder.
    let directory: @Sendable (String) -> String
    private let standIn: @Sendable (any SessionStore, any StorePlace) -> any SessionStore

    /// Creates a mutation.
    ///
    /// - Parameters:
    ///   - name: The name under which another process finds it.
    ///   - directory: Changes the path of a store's folder. Default: no change.
    ///   - standIn: Creates the fake of a store on a place.
    public init(
        _ name: String, directory: @escaping @Sendable (String) -> String = { $0 },
        _ standIn: @escaping @Sendable (any SessionStore, any StorePlace) -> any SessionStore
    ) {
        self.name = name
        self.directory = directory
        self.standIn = standIn
    }

    private init() {
        name = nil
        directory = { $0 }
        standIn = { store, _ in store }
    }

    /// A mutation that changes nothing.
    public static let none = StoreMutation()

    /// Returns the fake of a store on a place.
    public func callAsFunction(_ store: any SessionStore, on place: any StorePlace) -> any SessionStore { standIn(store, place) }
}
