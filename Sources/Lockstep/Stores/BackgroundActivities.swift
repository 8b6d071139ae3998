internal import LockstepSystem
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Requests time from the system, so that a process can finish its work before it is suspended.
///
/// iOS terminates a suspended app that holds a file lock in a container shared with its extensions (0xdead10cc).
package protocol BackgroundActivities: Sendable {
    /// Asks the system not to suspend this process until the activity ends; `nil` if the system refuses.
    ///
    /// - `reason`: The description of the work, for the system's log.
    /// - `expired`: Called at most once, on any thread, if the system must suspend the process. The process is
    ///   suspended as soon as this function returns.
    func begin(_ reason: String, expired: @escaping @Sendable () -> Void) async -> BackgroundActivity?
}

/// An activity for which the system has granted time.
package struct BackgroundActivity: Sendable {
    private let whenEnded: @Sendable () -> Void

    /// Creates an activity.
    ///
    /// Its end calls `whenEnded`, which returns the time to the system.
    package init(whenEnded: @escaping @Sendable () -> Void) { self.whenEnded = whenEnded }

    /// Returns the remaining time to the system.
    package func end() { whenEnded() }
}

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
/// The system's implementation, for apps and their extensions (`ProcessInfo.performExpiringActivity`).
package struct SystemBackgroundActivities: BackgroundActivities {
    package init() {}

    package func begin(_ reason: String, expired: @escaping @Sendable () -> Void) async -> BackgroundActivity? {
        let end = DispatchSemaphore(value: 0)
        let asking = Mutex<CheckedContinuation<Bool, Never>?>(nil)
        let isGranted = await withCheckedContinuation { continuation in
            asking.withLock { $0 = continuation }
            ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isOver in
                let asker = asking.withLock { $0.take() }
                asker?.resume(returning: !isOver)
                // The activity lasts as long as the call that grants it, on a thread of the system. If the first call
                // has `expired` set, the system has refused. A second call comes while the first is waiting.
                if !isOver { end.wait() } else if asker == nil { expired() }
            }
        }
        return isGranted ? BackgroundActivity { end.signal() } : nil
    }
}
#endif

extension FileLocks {
    /// The activities that keep a process running while it has a lock; `nil` if the system never terminates a process
    /// because of a lock.
    package static var systemActivities: (any BackgroundActivities)? {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        return SystemBackgroundActivities()
        #else
        return nil
        #endif
    }
}

/// Work under a lock that the system may interrupt.
///
/// The lock is then released immediately, and the work is cancelled.
final class LockInterruption: Sendable {
    private struct State {
        var isOver = false
        var hold: FileLock.Hold?
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Keeps the lock until ``end()``.
    ///
    /// - Returns: `false` if ``end()`` was called before, so that the lock is free again.
    func keep(_ hold: FileLock.Hold) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.hold = hold }
            return state.isOver
        }
        if isOver { hold.release() }
        return !isOver
    }

    /// Cancels the work and releases the lock.
    ///
    /// When this method returns, the lock is free.
    ///
    /// A second call has no effect.
    func end() {
        let (hold, watcher) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.hold, state.watcher)
        }
        hold?.release()
        watcher?.resume()
    }

    /// Runs `body` and waits for it.
    ///
    /// If ``end()`` is called in the meantime, `body` is cancelled.
    func run<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value? {
        await withoutActuallyEscaping(body) { body in
            await withTaskGroup(of: Value?.self) { group in
                group.addTask {
                    let value = await body()
                    self.end()
                    return value
                }
                group.addTask {
                    await self.over()
                    return nil
                }
                var value: Value?
                while let ended = await group.next() {
                    value = ended ?? value
                    group.cancelAll()
                }
                return value
            }
        }
    }

    private func over() async {
        await withCheckedContinuation { watcher in
            let isOver = state.withLock { state in
                if !state.isOver { state.watcher = watcher }
                return state.isOver
            }
            if isOver { watcher.resume() }
        }
    }
}
