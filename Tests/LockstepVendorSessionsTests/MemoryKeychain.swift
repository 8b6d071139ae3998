import LockstepKeychainStore
import Synchronization

/// A Keychain in memory.
final class MemoryKeychain: Keychain {
    private let items = Mutex<[KeychainPlace: [KeychainItem]]>([:])
    private let refusal = Mutex<KeychainStatus?>(nil)

    /// Lets every call return a status.
    func refuses(_ status: KeychainStatus?) { refusal.withLock { $0 = status } }

    func put(_ bytes: [UInt8], _ account: String, in place: KeychainPlace) {
        items.withLock { items in
            items[place, default: []].removeAll { $0.account == account }
            items[place, default: []].append(KeychainItem(account: account, mark: [], data: bytes))
        }
    }

    var isEmpty: Bool { items.withLock { $0.values.allSatisfy(\.isEmpty) } }

    func add(_ item: KeychainItem, _ place: KeychainPlace, _ accessibility: KeychainAccessibility) -> KeychainStatus {
        put(item.data, item.account, in: place)
        return .success
    }

    func copy(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        if let status = refusal.withLock({ $0 }) { return (status, []) }
        let found = items.withLock { ($0[query.place] ?? []).filter { query.account == nil || $0.account == query.account } }
        return (found.isEmpty ? .itemNotFound : .success, found)
    }

    func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus { .itemNotFound }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        if let status = refusal.withLock({ $0 }) { return status }
        let found = copy(query).items
        items.withLock { items in
            for item in found { items[query.place]?.removeAll { $0.account == item.account } }
        }
        return found.isEmpty ? .itemNotFound : .success
    }
}
