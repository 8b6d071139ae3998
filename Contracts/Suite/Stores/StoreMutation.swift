public import Lockstep

/// A fault in a store.
public struct StoreMutation: Sendable {
    /// The name that another process uses to find the fault; `nil` for a store without a fault.
    public let name: String?
    /// Changes the text that names a store's folder.
    let directory: @Sendable (String) -> String
    private let standIn: @Sendable (any SessionStore, any StorePlace) -> any SessionStore

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - name: The name that another process uses to find the faulty store.
    ///   - directory: A closure that changes the path of the store's folder. Default: no change.
    ///   - standIn: A closure that creates the faulty store from a store and its place.
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

    /// No fault.
    public static let none = StoreMutation()

    /// Returns the faulty store in a place.
    ///
    /// - Parameters:
    ///   - store: The store without a fault.
    public func callAsFunction(_ store: any SessionStore, on place: any StorePlace) -> any SessionStore { standIn(store, place) }
}
