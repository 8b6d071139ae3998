import Lockstep
import LockstepPrimitives
import LockstepSystem
import Synchronization
import Testing

/// An exclusive lock whose process the system suspends, like iOS.
@Suite("Sections and suspension", .timeLimit(.minutes(20)))
struct LockSuspensionTests {
    private static let key = StoreKey(provider: "test", backend: "http://127.0.0.1:1", slot: .session)

    /// A system that grants background time or not, and ends it on request.
    private final class System: BackgroundActivities {
        private struct State {
            var begun = 0
            var ended = 0
            var expired: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())
        private let isGranting: Bool

        init(isGranting: Bool = true) { self.isGranting = isGranting }

        var begun: Int { state.withLock { $0.begun } }
        var ended: Int { state.withLock { $0.ended } }

        func begin(_ reason: String, expired: @escaping @Sendable () -> Void) async -> BackgroundActivity? {
            guard isGranting else { return nil }
            state.withLock { state in
                state.begun += 1
                state.expired = expired
            }
            return BackgroundActivity { self.state.withLock { $0.ended += 1 } }
        }

        /// Called like the system does: when this returns, the process is suspended.
        func suspend() {
            let expired = state.withLock { $0.expired }
            expired?()
        }
    }

    private func withLock(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try await body(folder + "/section")
    }

    private static func isHeld(_ path: String) throws -> Bool { try FileLock(path: path).tryAcquire() == nil }

    @Test func backgroundTimeLastsAsLongAsTheSection() async throws {
        try await withLock { path in
            let system = System()
            let locks = FileLocks(clock: SystemClock(), activities: system)
            let inside = try await locks.exclusively(Self.key, lock: path, lockTimeout: .seconds(600)) {
                (begun: system.begun, ended: system.ended, isFree: (try? Self.isHeld(path)) == false)
            }
            #expect(inside == (begun: 1, ended: 0, isFree: false))
            #expect(system.ended == 1)
            #expect(try !Self.isHeld(path))
            // Too late to have an effect.
            system.suspend()
        }
    }

    /// The system kills a suspended process that holds a lock, and another process can use a token that it has read.
    @Test func suspendedSectionReleasesItsLockAndIsCancelled() async throws {
        try await withLock { path in
            let system = System()
            let locks = FileLocks(clock: SystemClock(), activities: system)
            let outcome = try await locks.exclusively(Self.key, lock: path, lockTimeout: .seconds(600)) { () async -> [Bool] in
                system.suspend()
                let isFree = (try? Self.isHeld(path)) == false
                // Only the cancellation ends the work under the lock.
                let isCancelled = (try? await SystemClock().sleep(for: .seconds(3600))) == nil
                return [isFree, isCancelled]
            }
            #expect(outcome == [true, true])
            #expect(system.ended == 1)
        }
    }

    @Test func sectionDoesNotStartWithoutBackgroundTime() async throws {
        try await withLock { path in
            let locks = FileLocks(clock: SystemClock(), activities: System(isGranting: false))
            let error = await #expect(throws: StoreError.self) {
                try await locks.exclusively(Self.key, lock: path, lockTimeout: .seconds(600)) { Issue.record("it has run") }
            }
            #expect(error?.code == .busy)
            let file = try FileStatus(of: path)
            #expect(file == nil)
        }
    }

    @Test func suspendedWaitForASectionEnds() async throws {
        try await withLock { path in
            let system = System()
            let holder = try #require(try FileLock(path: path).tryAcquire())
            defer { holder.release() }
            let clock = SuspendingClock(base: SystemClock(), system)
            let locks = FileLocks(clock: clock, activities: system)
            let error = await #expect(throws: StoreError.self) {
                try await locks.exclusively(Self.key, lock: path, lockTimeout: .seconds(3600)) { Issue.record("it has run") }
            }
            #expect(error?.code == .busy)
            #expect(system.ended == 1)
        }
    }

    /// An unwritten change is a greater loss than a restarted process.
    @Test func writeCompletesWithoutBackgroundTime() async throws {
        try await withLock { path in
            for system in [System(), System(isGranting: false)] {
                let locks = FileLocks(clock: SystemClock(), activities: system)
                let hold = try await locks.hold(path, lockTimeout: .seconds(600))
                #expect(try Self.isHeld(path))
                #expect(system.ended == 0)
                hold.release()
                #expect(system.ended == system.begun)
                #expect(try !Self.isHeld(path))
            }
        }
    }

    /// A clock whose first wait suspends the process.
    private struct SuspendingClock: DeviceClock {
        let base: SystemClock
        let system: System

        init(base: SystemClock, _ system: System) { (self.base, self.system) = (base, system) }

        var now: Instant { base.now }
        var uptime: Duration { base.uptime }
        var bootID: String { base.bootID }

        func sleep(for duration: Duration) async throws {
            system.suspend()
            try await base.sleep(for: .seconds(3600))
        }
    }
}
