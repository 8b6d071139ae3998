internal import LockstepSystem
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Time that the system grants a process to finish what it has begun, before it suspends it.
///
/// iOS ends an app that it suspends while the app holds a file lock in a container that it shares with its extensions (0xdead10cc).
package protocol BackgroundActivities: Sendable {
    /// Asks that this process is not suspended until the activity ends; `nil` where the system grants no time.
    ///
    /// - `reason`: what is done, for the system's log.
    /// - `expired`: called at most once, on any thread, where the system suspends the process all the same, as soon as it returns.
    func begin(_ reason: String, expired: @escaping @Sendable () -> Void) async -> BackgroundActivity?
}

/// Time that was granted.
package struct BackgroundActivity: Sendable {
    private let whenEnded: @Sendable () -> Void

    /// Time that is given back by `whenEnded`.
    package init(whenEnded: @escaping @Sendable () -> Void) { self.whenEnded = whenEnded }

    /// Gives the remaining time back.
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
                // The activity lasts as long as the call that grants it, on a thread of the system. A first call with `expired`
                // set is a refusal; a second one comes while the first is waiting.
                if !isOver { end.wait() } else if asker == nil { expired() }
            }
        }
        return isGranted ? BackgroundActivity { end.signal() } : nil
    }
}
#endif

extension FileLocks {
    /// The activities that keep a process running while it holds a lock; `nil` where the system ends no process for a lock that it holds.
    package static var systemActivities: (any BackgroundActivities)? {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        return SystemBackgroundActivities()
        #else
        return nil
        #endif
    }
}

/// Work under a lock that the system may interrupt: the lock is released at once then, and the work is cancelled.
final class LockInterruption: Sendable {
    private struct State {
        var isOver = false
        var hold: FileLock.Hold?
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Holds the lock until ``end()``.
    ///
    /// - Returns: `false` where ``end()`` was called before: the lock is free again.
    func keep(_ hold: FileLock.Hold) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.hold = hold }
            return state.isOver
        }
        if isOver { hold.release() }
        return !isOver
    }

    /// Cancels the work and releases the lock: it is free when this returns.
    ///
    /// A second call does nothing.
    func end() {
        let (hold, watcher) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.hold, state.watcher)
        }
        hold?.release()
        watcher?.resume()
    }

    /// Runs `body`, cancelled when ``end()`` is called before it returns, and waits for it.
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
