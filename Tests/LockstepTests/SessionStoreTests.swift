import Foundation
import Lockstep
import LockstepPrimitives
import LockstepSystem
import LockstepTestSupport
import Synchronization
import Testing

@Suite("Session stores")
struct SessionStoreTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    /// The same checks for every store.
    private func onEach(_ check: (any SessionStore) async throws -> Void) async throws {
        try await check(MemorySessionStore())
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try await check(try FileSessionStore(directory: folder))
    }

    @Test func emptyStoreReturnsNoValue() async throws {
        try await onEach { store in
            let left = try await store.load(Self.key)
            #expect(left == nil)
            let none = try await store.keys()
            #expect(none.isEmpty)
        }
    }

    @Test func bytesAreReadUnchanged() async throws {
        try await onEach { store in
            let bytes = (0...255).map { UInt8($0) } + Array("\n\0ü".utf8)
            let revision = try await store.replace(Self.key, with: bytes, unlessChangedSince: nil)
            let loaded = try await store.load(Self.key)
            #expect(loaded == StoredValue(bytes: bytes, revision: revision))
            let keys = try await store.keys()
            #expect(keys == [Self.key])
        }
    }

    @Test func replaceWithAnOldRevisionIsRejected() async throws {
        try await onEach { store in
            let first = try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            let second = try await store.replace(Self.key, with: [2], unlessChangedSince: first)
            await #expect(throws: StoreError.self) { try await store.replace(Self.key, with: [3], unlessChangedSince: first) }
            await #expect(throws: StoreError.self) { try await store.replace(Self.key, with: [3], unlessChangedSince: nil) }
            let loaded = try await store.load(Self.key)
            #expect(loaded == StoredValue(bytes: [2], revision: second))
        }
    }

    @Test func removedValueIsGone() async throws {
        try await onEach { store in
            try await store.remove(Self.key)
            try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
            try await store.remove(Self.key)
            let left = try await store.load(Self.key)
            #expect(left == nil)
        }
    }

    @Test(arguments: ["../../etc", "a\0b", String(repeating: "x", count: 4096), "🗝️", ""])
    func unusualKeysAreDistinguished(_ backend: String) async throws {
        try await onEach { store in
            let odd = StoreKey(provider: "p/..", backend: backend, slot: .session)
            try await store.replace(odd, with: [7], unlessChangedSince: nil)
            let left = try await store.load(Self.key)
            #expect(left == nil)
            let kept = try await store.load(odd)
            #expect(kept?.bytes == [7])
        }
    }

    @Test func sectionsExcludeEachOther() async throws {
        try await onEach { store in
            let inside = CallCount()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try? await store.exclusively(Self.key, lockTimeout: .seconds(3600)) {
                            inside.enter()
                            await Task.yield()
                            inside.leave()
                        }
                    }
                }
            }
            #expect(inside.total == 50)
            #expect(inside.most == 1)
        }
    }

    @Test func waitForASectionTimesOut() async throws {
        let clock = ManualClock(base: FixedClock())
        let store = MemorySessionStore(clock: clock)
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        let (end, isOver) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await store.exclusively(Self.key, lockTimeout: .seconds(600)) {
                isStarted.finish()
                for await _ in end {}
            }
        }
        for await _ in started {}
        let ended = Mutex(false)
        let waiter = Task {
            defer { ended.withLock { $0 = true } }
            try await store.exclusively(Self.key, lockTimeout: .seconds(3600)) {}
        }
        while !ended.withLock({ $0 }) {
            clock.advance(by: .seconds(3600))
            await Task.yield()
        }
        do {
            try await waiter.value
            Issue.record("it got in")
        } catch let error as StoreError { #expect(error.code == .busy) }
        isOver.finish()
        try await holder.value
    }

    @Test func onlyTheOwnerCanReadTheFiles() async throws {
        let folder = try Folder.makeTemporary() + "/made/by/store"
        let store = try FileSessionStore(directory: folder)
        try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        for name in try Folder.names(folder) {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    /// No space, no permission, a broken disk, no descriptor: each is reported as such, and the stored value stays.
    @Test(arguments: [
        (ENOSPC, StoreError.Code.full), (EDQUOT, .full), (EROFS, .unwritable), (EIO, .unwritable), (EMFILE, .unwritable),
        (ENFILE, .unwritable), (EACCES, .unwritable),
    ])
    func aFailureOfTheSystemIsReportedAsSuch(_ number: Int32, _ code: StoreError.Code) {
        let error = StoreError(.unwritable, SystemError(number, "replace x"), otherwise: "Look at the folder.")
        #expect(error.code == code)
        #expect(error.message.contains("replace x"))
    }

    @Test func aDamagedFileIsReportedAndKept() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let store = try FileSessionStore(directory: folder)
        try await store.replace(Self.key, with: Array("hello".utf8), unlessChangedSince: nil)
        let name = try #require(try Folder.names(folder).first { $0.hasSuffix(".lockstep") })
        let whole = try #require(try AtomicFile.read("\(folder)/\(name)"))
        try AtomicFile.replace("\(folder)/\(name)", with: Array(whole.dropLast(2)))
        do throws(StoreError) {
            _ = try await store.load(Self.key)
            Issue.record("it was read")
        } catch { #expect(error.code == .corrupt) }
        let again = try await store.load(Self.key)
        #expect(again == nil, "it is reported once")
        let kept = try #require(try Folder.names(folder).first { $0.hasPrefix(name + ".corrupt-") })
        #expect(try AtomicFile.read("\(folder)/\(kept)") == Array(whole.dropLast(2)))
    }

    @Test func newestEightDamagedFilesAreKept() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let clock = ManualClock(base: FixedClock())
        let store = try FileSessionStore(directory: folder, clock: clock)
        for number in 1...10 as ClosedRange<UInt8> {
            clock.advance(by: .milliseconds(1))
            let revision = try await store.replace(Self.key, with: [number], unlessChangedSince: nil)
            try await store.quarantine(Self.key, unlessChangedSince: revision)
        }
        let names = try Folder.names(folder).filter { $0.contains(".corrupt-") }
        #expect(try names.map { try AtomicFile.read("\(folder)/\($0)")?.last } == (3...10).map { $0 })
    }

    @Test func anUnreadableFolderIsNotAnEmptyStore() async throws {
        let folder = try Folder.makeTemporary()
        let store = try FileSessionStore(directory: folder)
        try await store.replace(Self.key, with: [1], unlessChangedSince: nil)
        // A file in place of the folder is unreadable for root, too.
        try AtomicFile.rename(folder, to: folder + "-aside")
        try AtomicFile.replace(folder, with: [])
        do throws(StoreError) {
            _ = try await store.load(Self.key)
            Issue.record("it said nothing is there")
        } catch { #expect(error.code == .unreadable) }
    }
}

private final class CallCount: Sendable {
    private let state = Mutex((now: 0, most: 0, total: 0))
    func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.total + 1) } }
    func leave() { state.withLock { $0.now -= 1 } }
    var most: Int { state.withLock { $0.most } }
    var total: Int { state.withLock { $0.total } }
}
