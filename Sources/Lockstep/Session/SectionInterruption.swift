internal import LockstepSystem
internal import Synchronization

/// A section that the system may interrupt: its lock is let go at once then, and what runs in it is cancelled.
final class SectionInterruption: Sendable {
    private struct State {
        var isOver = false
        var hold: FileLock.Hold?
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Keeps the lock for as long as the section lasts.
    ///
    /// - Returns: `false` where the section is over already: the lock is free again.
    func keep(_ hold: FileLock.Hold) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.hold = hold }
            return state.isOver
        }
        if isOver { hold.release() }
        return !isOver
    }

    /// Ends the section: when this returns, the lock is free.
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

    /// Runs `body`, cancelled when the section ends before it, and waits for it.
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
