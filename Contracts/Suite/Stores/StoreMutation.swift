public import Lockstep

/// A stand-in for a store on a place, to test that a check notices.
public struct StoreMutation: Sendable {
    /// The name by which another process finds it; `nil` for none.
    public let name: String?
    private let standIn: @Sendable (any SessionStore, any StorePlace) -> any SessionStore

    /// A stand-in.
    public init(_ name: String, _ standIn: @escaping @Sendable (any SessionStore, any StorePlace) -> any SessionStore) {
        self.name = name
        self.standIn = standIn
    }

    private init() {
        name = nil
        standIn = { store, _ in store }
    }

    /// The store as it is.
    public static let none = StoreMutation()

    /// The stand-in for a store on a place.
    public func callAsFunction(_ store: any SessionStore, on place: any StorePlace) -> any SessionStore { standIn(store, place) }
}
