internal import LockstepCrypto
package import LockstepPrimitives
internal import LockstepSystem
internal import Synchronization

/// Exclusive locks across tasks and processes.
///
/// The system releases a lock file if its process ends. A lease would end at a guessed time instead, and a transaction would
/// make the writes of other users wait for the network.
///
/// Every store with values on this machine can use them. iOS terminates a suspended process that has a lock. So these
/// locks request background time first, and release the lock before the system suspends the process.
package struct FileLocks: Sendable {
    /// The suffix of a lock file's name.
    ///
    /// It must not change: processes of older versions use the same suffix, and the lock must work between all
    /// versions.
    package static let suffix = ".section"

    private let clock: any DeviceClock
    private let activities: (any BackgroundActivities)?
    private let tasks: ExclusiveLocks

    /// Creates locks that measure waiting times with a clock.
    ///
    /// - `activities`: Grants background time if the system may terminate a suspended process that has a lock; `nil` if
    ///   it does not.
    package init(clock: any DeviceClock, activities: (any BackgroundActivities)? = systemActivities) {
        self.clock = clock
        self.activities = activities
        tasks = ExclusiveLocks(clock: clock)
    }

    /// Runs `body` while holding the lock of a key: in this process, and if `path` is set, in all processes.
    ///
    /// If the system suspends the process anyway, the lock is released and `body` is cancelled. Otherwise a token could
    /// be sent hours later, after another process has used it.
    ///
    /// - Throws: `busy` if the lock is not free within `lockTimeout`, or if the process is about to be suspended;
    ///   `unwritable` if the lock cannot be created. In these cases `body` has not run.
    package func exclusively<Result: Sendable>(
        _ key: StoreKey, lock path: String?, isRemoved: Bool = false, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let began = clock.uptime
        try await tasks.enter(key, lockTimeout: lockTimeout)
        defer { tasks.leave(key) }
        guard let path else { return await body() }
        let left = lockTimeout - (clock.uptime - began)
        if let activities { return try await interruptibly(path, isRemoved, lockTimeout: left, activities, body) }
        let hold = try await lock(path, isRemoved: isRemoved, lockTimeout: left)
        defer { hold.release() }
        return await body()
    }

    private func interruptibly<Result: Sendable>(
        _ path: String, _ isRemoved: Bool, lockTimeout: Duration, _ activities: any BackgroundActivities,
        _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let suspended = StoreError(.busy, "The system is suspending this process. Try again when the process runs.")
        let interruption = LockInterruption()
        guard let activity = await activities.begin("Change the stored session", expired: { interruption.end() }) else {
            throw suspended
        }
        defer { activity.end() }
        let outcome = await interruption.run { () -> Swift.Result<Result, StoreError> in
            do throws(StoreError) {
                let hold = try await lock(path, isRemoved: isRemoved, lockTimeout: lockTimeout)
                return interruption.keep(hold) ? .success(await body()) : .failure(suspended)
            } catch {
                return .failure(error)
            }
        }
        return try (outcome ?? .failure(suspended)).get()
    }

    /// A lock for a few calls of the file system, without any other wait, and the background time for it.
    package struct Hold: Sendable {
        fileprivate let lock: FileLock.Hold
        fileprivate let activity: BackgroundActivity?

        /// Releases the lock.
        package func release() {
            lock.release()
            activity?.end()
        }
    }

    /// Takes the lock at `path` for a few calls of the file system.
    ///
    /// If the system grants no time, the calls are made anyway. They take milliseconds, and a lost change would be
    /// worse.
    ///
    /// - Throws: `busy` if the lock is not free within `lockTimeout`; otherwise the given code.
    package func hold(
        _ path: String, code: StoreError.Code = .unwritable, lockTimeout: Duration
    ) async throws(StoreError) -> Hold {
        let activity = await activities?.begin("Write the stored session") {}
        do throws(StoreError) {
            return Hold(lock: try await lock(path, code: code, lockTimeout: lockTimeout), activity: activity)
        } catch {
            activity?.end()
            throw error
        }
    }

    /// Tries to take the lock repeatedly, at growing intervals, so that no thread blocks.
    ///
    /// - `code`: The error code if the lock cannot be created: `unreadable` for a reader.
    /// - `isRemoved`: Whether the lock file is removed when the lock is released. This is for locks that are numerous.
    ///
    /// Throws `busy` if the lock is not free within `lockTimeout`; otherwise `code`.
    private func lock(
        _ path: String, code: StoreError.Code = .unwritable, isRemoved: Bool = false, lockTimeout: Duration
    ) async throws(StoreError) -> FileLock.Hold {
        let lock = FileLock(path: path, isRemoved: isRemoved)
        let deadline = clock.uptime + lockTimeout
        var pause = Duration.milliseconds(1)
        while true {
            do throws(SystemError) {
                if let hold = try lock.tryAcquire() { return hold }
            } catch {
                throw StoreError(code, error, otherwise: "Check that this process may write to the folder.")
            }
            guard clock.uptime < deadline, (try? await clock.sleep(for: pause)) != nil else {
                throw StoreError(
                    .busy, "Another process has used the stored session for longer than \(lockTimeout.inWholeSeconds). Try again."
                )
            }
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}

extension StoreKey {
    /// A file name for the values of the key.
    ///
    /// Names of providers and backends may contain any character, and may be too long for a file name.
    package var fileName: String {
        // The first line must end with the provider's name.
        let name = provider.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        let digest = HashFunction.sha256.digest(Array("\(name)\n\(backend)".utf8)).prefix(12)
        return "\(slot.rawValue)-\(Hex.encode(digest))"
    }
}

/// Exclusive locks within one process, one for each key, granted in the order of the requests.
package final class ExclusiveLocks: Sendable {
    private struct Waiter {
        let ticket: Int
        let wake: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var held: Set<StoreKey> = []
        var waiting: [StoreKey: [Waiter]] = [:]
        var nextTicket = 0
        var abandoned: Set<Int> = []
    }

    private let clock: any DeviceClock
    private let state = Mutex(State())

    package init(clock: any DeviceClock) { self.clock = clock }

    /// Waits until the lock is free, and takes it.
    ///
    /// - Throws: `busy` if `lockTimeout` passes, or the task is cancelled, before the lock is free.
    package func enter(_ key: StoreKey, lockTimeout: Duration) async throws(StoreError) {
        let (isFree, ticket) = state.withLock { state in
            state.nextTicket += 1
            return (state.held.insert(key).inserted, state.nextTicket)
        }
        if isFree { return }
        let entered = await withTaskGroup(of: Void.self, returning: Bool.self) { group in
            group.addTask {
                try? await self.clock.sleep(for: lockTimeout)
                self.giveUp(ticket, key)
            }
            let entered = await self.wait(ticket, key)
            group.cancelAll()
            await group.waitForAll()
            return entered
        }
        _ = state.withLock { $0.abandoned.remove(ticket) }
        guard entered else {
            throw StoreError(
                .busy, "Another call has used the stored session for longer than \(lockTimeout.inWholeSeconds). Try again.")
        }
    }

    private func wait(_ ticket: Int, _ key: StoreKey) async -> Bool {
        await withCheckedContinuation { wake in
            let verdict: Bool? = state.withLock { state in
                if state.abandoned.remove(ticket) != nil { return false }
                if state.held.insert(key).inserted { return true }
                state.waiting[key, default: []].append(Waiter(ticket: ticket, wake: wake))
                return nil
            }
            if let verdict { wake.resume(returning: verdict) }
        }
    }

    private func giveUp(_ ticket: Int, _ key: StoreKey) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiting[key]?.firstIndex(where: { $0.ticket == ticket }) else {
                state.abandoned.insert(ticket)
                return nil
            }
            return state.waiting[key]?.remove(at: index)
        }
        waiter?.wake.resume(returning: false)
    }

    /// Frees the lock for the next waiting task.
    package func leave(_ key: StoreKey) {
        let next: Waiter? = state.withLock { state in
            if var queue = state.waiting[key], !queue.isEmpty {
                let next = queue.removeFirst()
                state.waiting[key] = queue.isEmpty ? nil : queue
                return next
            }
            state.held.remove(key)
            return nil
        }
        next?.wake.resume(returning: true)
    }
}
