import Lockstep
import LockstepInMemory
import LockstepPrimitives
import Testing

@Suite("Moving a session between stores")
struct SessionMoveTests {
    private let adapter = InMemoryAdapter(backend: InMemoryBackend())
    private let source = MemorySessionStore()
    private let target = MemorySessionStore()

    private func key(_ slot: StoreKey.Slot) -> StoreKey {
        StoreKey(provider: adapter.name, backend: adapter.backend, slot: slot)
    }

    private func fill(_ store: any SessionStore) async throws {
        for slot in [StoreKey.Slot.session, .device, .revocations] {
            try await store.replace(key(slot), with: Array(slot.rawValue.utf8), unlessChangedSince: nil)
        }
        let other = StoreKey(provider: "other", backend: "elsewhere", slot: .session)
        try await store.replace(other, with: [1], unlessChangedSince: nil)
    }

    private func isWhole(_ store: any SessionStore) async throws -> Bool {
        for slot in [StoreKey.Slot.session, .device, .revocations] {
            guard try await store.load(key(slot))?.bytes == Array(slot.rawValue.utf8) else { return false }
        }
        return true
    }

    @Test func moveCopiesOnlyTheSlotsOfItsBackend() async throws {
        try await fill(source)
        let outcome = try await adapter.moveSession(from: source, to: target)
        #expect(outcome == .moved([.session, .device, .revocations]))
        let whole = try await isWhole(target)
        #expect(whole)
        let left = try await source.keys()
        #expect(left.map(\.provider) == ["other"])
        let again = try await adapter.moveSession(from: source, to: target)
        #expect(again == .nothingToMove)
    }

    @Test func sessionInTheTargetIsKept() async throws {
        try await fill(source)
        try await target.replace(key(.session), with: [9], unlessChangedSince: nil)
        let outcome = try await adapter.moveSession(from: source, to: target)
        #expect(outcome == .occupied(.session))
        let there = try await target.load(key(.session))
        #expect(there?.bytes == [9])
        let others = try await target.keys()
        #expect(others.count == 1, "nothing was copied")
        let whole = try await isWhole(source)
        #expect(whole)
    }

    @Test func targetWithASessionGetsNoOtherSlots() async throws {
        try await source.replace(key(.device), with: [1], unlessChangedSince: nil)
        try await target.replace(key(.session), with: [9], unlessChangedSince: nil)
        let outcome = try await adapter.moveSession(from: source, to: target)
        #expect(outcome == .occupied(.session))
    }

    @Test func interruptedMoveKeepsACopyAndCanBeRepeated() async throws {
        var steps = 0
        while true {
            let (source, target) = (MemorySessionStore(), MemorySessionStore())
            try await fill(source)
            let budget = BreakingStore.Budget(steps)
            let isDone: Bool
            do throws(StoreError) {
                try await adapter.moveSession(from: BreakingStore(source, budget), to: BreakingStore(target, budget))
                isDone = true
            } catch { isDone = false }
            let whole = (try await isWhole(source), try await isWhole(target))
            #expect(whole.0 || whole.1, "after \(steps) steps")
            try await adapter.moveSession(from: source, to: target)
            let end = try await isWhole(target)
            #expect(end, "after \(steps) steps")
            let left = try await source.keys()
            #expect(left.count == 1, "after \(steps) steps")
            if isDone { break }
            steps += 1
        }
        #expect(steps > 15)
    }

    @Test func moveWaitsForTheSessionLock() async throws {
        let (store, adapter) = (source, adapter)
        let outcome = try await source.exclusively(key(.session), lockTimeout: .seconds(600)) { () -> StoreError.Code? in
            do throws(StoreError) {
                try await adapter.moveSession(from: store, to: MemorySessionStore(), lockTimeout: .milliseconds(1))
                return nil
            } catch { return error.code }
        }
        #expect(outcome == .busy)
    }
}
