import Lockstep
import LockstepContracts
import LockstepKeychainStore
import LockstepPrimitives
import LockstepTestSupport
import Synchronization
import Testing

@Suite("The store in the Keychain")
struct KeychainSessionStoreTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)
    private let keychain = DoubleKeychain()

    private func store(_ accessGroup: String? = nil) throws -> KeychainSessionStore {
        try KeychainSessionStore(keychain, service: "test", accessGroup: accessGroup)
    }

    @Test("keeps its contracts on a double", arguments: StoreCatalog.all)
    func keeps(_ contract: StoreContract) async {
        let verdict = await contract.check(on: KeychainStoreHarness())
        // The double is in this process, has no files and one user, and has written only one format.
        let cannot = [
            "store.private", "store.whole-or-old", "store.two-processes", "store.dead-holder", "store.full-disk",
            "store.old-versions", "store.owners-apart", "store.obstacles", "store.exposed", "store.vanished",
            "store.folder-kept", "store.folder-named",
        ].contains(contract.id)
        #expect(verdict.name == (cannot ? "notChecked" : "kept"), "\(contract): \(verdict)")
    }

    @Test func itemsStayOnTheDeviceAndAreReadableInTheBackground() async throws {
        try await store().replace(Self.key, with: [1], unlessChangedSince: nil)
        #expect(keychain.state.withLock { $0.accessibilities } == [.afterFirstUnlockThisDeviceOnly])
    }

    @Test func accessGroupsAreSeparate() async throws {
        try await store("group").replace(Self.key, with: [1], unlessChangedSince: nil)
        let own = try await store().load(Self.key)
        #expect(own == nil)
    }

    @Test(arguments: [
        (KeychainStatus.missingEntitlement, StoreError.Code.notEntitled, StoreError.Code.notEntitled),
        (.interactionNotAllowed, .unreadable, .unwritable), (.diskFull, .full, .full),
        (KeychainStatus(rawValue: -50), .unreadable, .unwritable),
    ])
    func keychainErrorsHaveACode(_ status: KeychainStatus, _ reading: StoreError.Code, _ writing: StoreError.Code) async throws {
        let store = try store()
        keychain.state.withLock { $0.refusal = status }
        do throws(StoreError) {
            _ = try await store.load(Self.key)
            Issue.record("it was read")
        } catch { #expect(error.code == reading) }
        do throws(StoreError) {
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            Issue.record("it was written")
        } catch { #expect(error.code == writing) }
    }

    @Test func concurrentAddReportsAConflict() async throws {
        let store = try store()
        keychain.state.withLock { state in
            state.intruder = { state in
                let place = KeychainPlace(service: "test", accessGroup: nil)
                let other = DoubleKeychain.item(of: Self.key, revision: "other", bytes: [9])
                state.items[place, default: [:]][other.account] = other
            }
        }
        do throws(StoreError) {
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            Issue.record("it was written over")
        } catch { #expect(error.code == .conflict) }
        let there = try await store.load(Self.key)
        #expect(there?.bytes == [9])
    }

    @Test func concurrentReplaceReportsAConflict() async throws {
        let store = try store()
        let revision = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        keychain.state.withLock { state in
            state.intruder = { state in
                let place = KeychainPlace(service: "test", accessGroup: nil)
                let other = DoubleKeychain.item(of: Self.key, revision: "other", bytes: [9])
                state.items[place]?[other.account] = other
            }
        }
        do throws(StoreError) {
            try await store.replace(Self.key, with: [2], unlessChangedSince: revision)
            Issue.record("it was written over")
        } catch { #expect(error.code == .conflict) }
    }

    @Test func newestEightQuarantinedValuesAreKept() async throws {
        let clock = ManualClock(base: FixedClock())
        let store = try KeychainSessionStore(keychain, service: "test", clock: clock)
        for number in 1...10 as ClosedRange<UInt8> {
            clock.advance(by: .milliseconds(1))
            let revision = try await store.replace(Self.key, with: [number], unlessChangedSince: nil)
            try await store.quarantine(Self.key, unlessChangedSince: revision)
        }
        let kept = keychain.state.withLock { $0.items.values.flatMap { $0.values }.compactMap(\.data.last).sorted() }
        #expect(kept == Array(3...10))
    }
}

extension DoubleKeychain {
    /// An item as another process of the same app would have written it.
    static func item(of key: StoreKey, revision: String, bytes: [UInt8]) -> KeychainItem {
        let file = StoredFile(key: key, revision: Revision(rawValue: revision), bytes: bytes)
        return KeychainItem(account: key.fileName, mark: Array(revision.utf8), data: file.encoded())
    }
}
