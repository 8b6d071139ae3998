import Lockstep
import LockstepContracts

/// A fault in a store.
enum StoreFlaw: String, Sendable, CaseIterable {
    case forgets = "accepts every value and stores nothing"
    case keeps = "removes nothing"
    case refuses = "accepts no value"
    case hides = "cannot be read"
}

/// A store with one fault.
///
/// Otherwise it behaves like its base.
struct FlawedStore: ForwardingStore {
    let base: any SessionStore
    let flaw: StoreFlaw

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        if flaw == .hides { throw StoreError(.unreadable, "A mutant's error.") }
        return try await base.load(key)
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        if flaw == .refuses { throw StoreError(.unwritable, "A mutant's error.") }
        let new = try await base.replace(key, with: bytes, unlessChangedSince: revision)
        if flaw == .forgets { try await base.remove(key) }
        return new
    }

    func remove(_ key: StoreKey) async throws(StoreError) { if flaw != .keeps { try await base.remove(key) } }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        if flaw != .keeps { try await base.remove(key, unlessChangedSince: revision) }
    }
}
