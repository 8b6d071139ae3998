/// Names a value in a store: which provider, which backend, what.
public struct StoreKey: Sendable, Hashable, Codable {
    /// What is kept.
    public enum Slot: String, Sendable, Codable, CaseIterable {
        /// The session.
        case session
        /// The flow in progress.
        case flow
        /// The provider's notes by which it recognises this device.
        case device
        /// Revocations that could not be sent yet.
        case revocations
        /// Why no user is signed in, for the next start.
        case signOut
    }

    /// The adapter's name.
    public let provider: String
    /// The address of the backend.
    public let backend: String
    /// What is kept.
    public let slot: Slot

    /// A key.
    public init(provider: String, backend: String, slot: Slot) {
        self.provider = provider
        self.backend = backend
        self.slot = slot
    }
}

/// The state of a value in a store: it changes with every replacement.
public struct Revision: RawRepresentable, Sendable, Hashable {
    /// The store's own name of the state.
    public let rawValue: String

    /// A revision by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Bytes from a store.
public struct StoredValue: Sendable, Hashable {
    /// The bytes, as they were given.
    public let bytes: [UInt8]
    /// Their state.
    public let revision: Revision

    /// A value.
    public init(bytes: [UInt8], revision: Revision) {
        self.bytes = bytes
        self.revision = revision
    }
}
