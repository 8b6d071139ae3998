internal import LockstepCrypto
package import LockstepPrimitives
package import LockstepSystem

/// Sections that exclude each other across tasks and processes, by lock files that the system frees when their holder dies.
///
/// For every store whose values lie on this machine.
package struct FileSections: Sendable {
    private let clock: any DeviceClock
    private let tasks: ExclusiveSections

    /// Sections whose waiting is measured by this clock.
    package init(clock: any DeviceClock) {
        self.clock = clock
        tasks = ExclusiveSections(clock: clock)
    }

    /// Runs `body` while no other section of the key runs, with the lock at `path` held; without one, only this process's sections count.
    ///
    /// - Throws: `busy` where it is not free within `patience`, `unwritable` where the lock cannot be made; `body` has not run then.
    package func exclusively<Result: Sendable>(
        _ key: StoreKey, lock path: String?, isRemoved: Bool = false, patience: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        let began = clock.uptime
        try await tasks.enter(key, patience: patience)
        defer { tasks.leave(key) }
        guard let path else { return await body() }
        let hold = try await hold(path, isRemoved: isRemoved, patience: patience - (clock.uptime - began))
        defer { hold.release() }
        return await body()
    }

    /// Asks for the lock again and again, a little less often each time, so that no thread is lost to waiting.
    ///
    /// - Parameters:
    ///   - code: what it is called when the lock cannot be made: `unreadable` for who only wants to read.
    ///   - isRemoved: whether the file goes when the lock is let go: for locks of which there are many.
    /// - Throws: `busy` as ``exclusively(_:lock:isRemoved:patience:_:)``, and the code.
    package func hold(
        _ path: String, code: StoreError.Code = .unwritable, isRemoved: Bool = false, patience: Duration
    ) async throws(StoreError) -> FileLock.Hold {
        let lock = FileLock(path: path, isRemoved: isRemoved)
        let deadline = clock.uptime + patience
        var pause = Duration.milliseconds(1)
        while true {
            do throws(SystemError) {
                if let hold = try lock.tryAcquire() { return hold }
            } catch {
                throw StoreError(code, error, otherwise: "Check that this process may write to the folder.")
            }
            guard clock.uptime < deadline, (try? await clock.sleep(for: pause)) != nil else {
                throw StoreError(.busy, "Another process holds the stored session for longer than \(patience). Try again.")
            }
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}

extension StoreKey {
    /// A file name for what belongs to the key: names of providers and backends may hold anything, and be longer than one may be.
    package var fileName: String {
        // The first line must end where the provider's name does.
        let name = provider.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        let digest = HashFunction.sha256.digest(Array("\(name)\n\(backend)".utf8)).prefix(12)
        return "\(slot.rawValue)-\(Hex.encode(digest))"
    }
}
