import LockstepKeychainStore
import Synchronization

/// A Keychain in memory that behaves like the system's: places do not overlap, a change is one step, and a locked one returns
/// nothing.
final class DoubleKeychain: Keychain {
    struct State {
        var items: [KeychainPlace: [String: KeychainItem]] = [:]
        var accessibilities: Set<KeychainAccessibility> = []
        /// The result that every call returns instead of its own.
        var refusal: KeychainStatus?
        /// Runs once before the next change, as a faster concurrent writer.
        var intruder: (@Sendable (inout State) -> Void)?

        mutating func matches(_ query: KeychainQuery) -> [KeychainItem] {
            (items[query.place] ?? [:]).values.filter { item in
                (query.account == nil || query.account == item.account) && (query.mark == nil || query.mark == item.mark)
            }
        }
    }

    let state = Mutex(State())

    func add(_ item: KeychainItem, _ place: KeychainPlace, _ accessibility: KeychainAccessibility) -> KeychainStatus {
        change { state in
            guard state.items[place]?[item.account] == nil else { return .duplicateItem }
            state.items[place, default: [:]][item.account] = item
            state.accessibilities.insert(accessibility)
            return .success
        }
    }

    func copy(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        state.withLock { state in
            if let refusal = state.refusal { return (refusal, []) }
            let items = state.matches(query)
            return (items.isEmpty ? .itemNotFound : .success, items)
        }
    }

    func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus {
        change { state in
            guard let old = state.matches(query).first else { return .itemNotFound }
            state.items[query.place]?[old.account] = nil
            guard state.items[query.place]?[item.account] == nil else {
                state.items[query.place]?[old.account] = old
                return .duplicateItem
            }
            state.items[query.place]?[item.account] = item
            return .success
        }
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        change { state in
            let old = state.matches(query)
            for item in old { state.items[query.place]?[item.account] = nil }
            return old.isEmpty ? .itemNotFound : .success
        }
    }

    private func change(_ body: (inout State) -> KeychainStatus) -> KeychainStatus {
        state.withLock { state in
            if let refusal = state.refusal { return refusal }
            if let intruder = state.intruder {
                state.intruder = nil
                intruder(&state)
            }
            return body(&state)
        }
    }
}
