internal import Lockstep

/// A number that several writers increase at the same time.
///
/// A final number that is too small shows lost updates.
struct StoreCounter: Sendable {
    let store: any SessionStore

    /// Returns the current number.
    func number() async throws -> Int {
        guard let value = try await store.load(StoreCatalog.key) else { return 0 }
        guard let number = Int(String(decoding: value.bytes, as: UTF8.self)) else {
            throw StoreError(.corrupt, "The \(value.bytes.count) bytes of the counter are not a number.")
        }
        return number
    }

    /// Reads and replaces the number until no other writer interferes.
    func addOne() async throws {
        while try await !isOneAdded() {}
    }

    private func isOneAdded() async throws(StoreError) -> Bool {
        let value = try await store.load(StoreCatalog.key)
        let number = value.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
        do throws(StoreError) {
            try await store.replace(StoreCatalog.key, with: Array(String(number + 1).utf8), unlessChangedSince: value?.revision)
            return true
        } catch {
            if error.code == .conflict { return false }
            throw error
        }
    }
}
