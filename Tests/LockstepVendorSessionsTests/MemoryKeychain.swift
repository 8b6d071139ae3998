import LockstepKeychainStore
import Synchronization

/// A Keychain in memory.
final class MemoryKeychain: Keychain {
    private let items = Mutex<[KeychainPlace: [KeychainItem]]>([:])
    private let refusal = Mutex<(status: KeychainStatus?, left: Int)>((nil, 0))

    /// Lets every call return a status, after some calls that work.
    func refuses(_ status: KeychainStatus?, after calls: Int = 0) { refusal.withLock { $0 = (status, calls) } }

    private func refused() -> KeychainStatus? {
        refusal.withLock { refusal in
            refusal.left -= 1
            return refusal.left < 0 ? refusal.status : nil
        }
    }

    func clear() { items.withLock { $0 = [:] } }

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
        if let status = refused() { return (status, []) }
        let found = found(query)
        return (found.isEmpty ? .itemNotFound : .success, found)
    }

    func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus { .itemNotFound }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        if let status = refused() { return status }
        let found = found(query)
        items.withLock { items in
            for item in found { items[query.place]?.removeAll { $0.account == item.account } }
        }
        return found.isEmpty ? .itemNotFound : .success
    }

    private func found(_ query: KeychainQuery) -> [KeychainItem] {
        items.withLock { ($0[query.place] ?? []).filter { query.account == nil || $0.account == query.account } }
    }
}
