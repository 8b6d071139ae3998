import Lockstep
import LockstepPrimitives
import LockstepSystem
import Testing

@Suite("A store that outlives the app")
struct FreshInstallStoreTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    private func inFolder(_ body: (String, MemorySessionStore) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let old = MemorySessionStore()
        try await old.replace(Self.key, with: [1], unlessChangedSince: nil)
        try await body(folder, old)
    }

    /// Of all keys: the session, and the flow of another backend.
    @Test(arguments: FreshInstallPolicy.allCases)
    func freshInstallFollowsThePolicy(_ policy: FreshInstallPolicy) async throws {
        try await inFolder { folder, old in
            let flow = StoreKey(provider: "other", backend: "http://127.0.0.1:2", slot: .flow)
            try await old.replace(flow, with: [1], unlessChangedSince: nil)
            let store = FreshInstallStore(old, policy: policy, marker: folder + "/installed")
            for key in [Self.key, flow] {
                let found = try await store.load(key)
                #expect(found?.bytes == (policy == .keep ? [1] : nil), "\(key)")
            }
        }
    }

    @Test func markerCanBeAFileURL() async throws {
        try await inFolder { folder, old in
            _ = try await FreshInstallStore(old, policy: .keep, marker: "file://\(folder)/installed").load(Self.key)
            let other = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            #expect(try await other.load(Self.key)?.bytes == [1])
            await #expect(throws: StoreError.self) {
                try await FreshInstallStore(old, policy: .purge, marker: "https://example.com/installed").load(Self.key)
            }
        }
    }

    @Test func nextStartKeepsTheValues() async throws {
        try await inFolder { folder, old in
            let first = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            try await first.replace(Self.key, with: [2], unlessChangedSince: nil)
            let second = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            let found = try await second.load(Self.key)
            #expect(found?.bytes == [2])
            try Folder.remove(folder)
            try Folder.make(folder)
            let reinstalled = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            let left = try await reinstalled.load(Self.key)
            #expect(left == nil)
        }
    }

    @Test func updateIsNotAFreshInstall() async throws {
        try await inFolder { folder, old in
            try AtomicFile.replace(folder + "/preferences", with: [])
            let store = FreshInstallStore(
                old, policy: .purge, marker: folder + "/installed", traces: [folder + "/none", folder + "/preferences"])
            let found = try await store.load(Self.key)
            #expect(found?.bytes == [1])
        }
    }

    @Test func failedPurgeIsRetried() async throws {
        try await inFolder { folder, old in
            let budget = BreakingStore.Budget(1)
            let broken = FreshInstallStore(BreakingStore(old, budget), policy: .purge, marker: folder + "/installed")
            await #expect(throws: StoreError.self) { try await broken.load(Self.key) }
            #expect(try !Folder.names(folder).contains("installed"))
            let healed = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            let left = try await healed.load(Self.key)
            #expect(left == nil)
        }
    }

    @Test func unreadableMarkerPurgesNothing() async throws {
        try await inFolder { folder, old in
            try AtomicFile.replace(folder + "/file", with: [])
            let store = FreshInstallStore(old, policy: .purge, marker: folder + "/file/installed")
            do throws(StoreError) {
                _ = try await store.load(Self.key)
                Issue.record("it was loaded")
            } catch { #expect(error.code == .unreadable) }
            let kept = try await old.load(Self.key)
            #expect(kept?.bytes == [1])
        }
    }

    @Test func concurrentCallsWaitForThePurge() async throws {
        try await inFolder { folder, old in
            let store = FreshInstallStore(old, policy: .purge, marker: folder + "/installed")
            let found = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 { group.addTask { (try? await store.load(Self.key)) != .some(.none) } }
                return await group.contains { $0 }
            }
            #expect(!found)
        }
    }
}
