import Lockstep
import LockstepContracts
import LockstepKeychainStore
import LockstepSystem
import Synchronization

/// The store in the Keychain, on the double.
struct KeychainStoreHarness: StoreHarness {
    let name = "keychain"

    func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try await body(KeychainTestPlace(lockFolder: folder))
    }
}

private struct KeychainTestPlace: StorePlace {
    let keychain = DoubleKeychain()
    let lockFolder: String

    func open() async throws -> any SessionStore {
        try KeychainSessionStore(keychain, service: "test", lockFolder: lockFolder)
    }

    func lock() async throws { keychain.state.withLock { $0.refusal = .interactionNotAllowed } }

    func unlock() async throws { keychain.state.withLock { $0.refusal = nil } }

    func contains(_ bytes: [UInt8]) async throws -> Bool {
        keychain.state.withLock { state in
            state.items.values.contains { $0.values.contains { $0.data.firstRange(of: bytes) != nil } }
        }
    }

    func flip(at share: Double) async throws -> @Sendable () async throws -> Void {
        try keychain.state.withLock { state in
            for (place, items) in state.items {
                for (account, item) in items where !account.contains(".corrupt-") {
                    let number = Int(share * Double(item.data.count * 8))
                    state.items[place]?[account]?.data[number / 8] ^= 1 << UInt8(number % 8)
                    return { keychain.state.withLock { $0.items[place]?[account] = item } }
                }
            }
            throw EnvironmentError("there is no item to damage")
        }
    }

    /// Cuts the end off.
    func damage() async throws -> [UInt8] {
        try keychain.state.withLock { state in
            for (place, items) in state.items {
                for (account, item) in items where !account.contains(".corrupt-") {
                    let damaged = Array(item.data.dropLast(2))
                    state.items[place]?[account]?.data = damaged
                    return damaged
                }
            }
            throw EnvironmentError("there is no item to damage")
        }
    }
}
