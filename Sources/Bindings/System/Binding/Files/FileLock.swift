internal import CLockstepSystem

/// A lock that excludes other processes, and other holders in this process.
///
/// The lock uses a lock file (`flock`). Only programs that use the same lock are excluded. If the holder's process ends for
/// any reason, the system releases the lock.
///
/// The lock file stays empty. A holder checks that its locked file is still at the path. So two holders never have the lock at
/// the same time, even if the file was removed or replaced.
public struct FileLock: Sendable {
    /// An acquired lock.
    ///
    /// The lock is released by ``release()``, or when the last reference to this object is released.
    public final class Hold: Sendable {
        private let descriptor: Descriptor
        private let removed: String?

        fileprivate init(_ descriptor: Descriptor, removing path: String?) {
            self.descriptor = descriptor
            removed = path
        }

        deinit { descriptor.close(Self.unlock) }

        /// Releases the lock.
        ///
        /// Further calls do nothing.
        public func release() {
            descriptor.close { number in
                // The file is removed while it is still locked. The next holder notices, once it has the lock, that its file is
                // no longer at the path.
                if let removed { try? AtomicFile.remove(removed) }
                Self.unlock(number)
            }
        }

        /// Unlocks the file.
        ///
        /// Closing the file is not enough. A forked child has a copy of the descriptor until it executes its program, and the
        /// lock lasts as long as any copy is open.
        private static func unlock(_ number: Int32) { flock(number, LOCK_UN) }
    }

    private let path: String
    private let isRemoved: Bool

    /// Creates a lock, which is not held yet.
    ///
    /// - Parameters:
    ///   - path: The path of the lock file. Its folder must exist. The file is created when the lock is first acquired.
    ///   - isRemoved: Whether the holder removes the file when it releases the lock. Use `true` if there are many locks.
    public init(path: String, isRemoved: Bool = false) {
        self.path = path
        self.isRemoved = isRemoved
    }

    /// Acquires the lock if it is free.
    ///
    /// It does not wait.
    ///
    /// - Returns: The held lock; `nil` if another holder has the lock.
    /// - Throws: ``SystemError``. The error has a ``SystemError/refusal`` if the path is not a file of this user.
    public func tryAcquire() throws(SystemError) -> Hold? {
        try lock(LOCK_EX | LOCK_NB)
    }

    /// Waits until the lock is free, and acquires it.
    ///
    /// It **blocks this thread**.
    ///
    /// Make this call on a separate thread (``BlockingThread``).
    ///
    /// - Returns: The held lock.
    /// - Throws: ``SystemError``.
    public func acquireBlocking() throws(SystemError) -> Hold {
        while true {
            if let hold = try lock(LOCK_EX) { return hold }
        }
    }

    private func lock(_ operation: Int32) throws(SystemError) -> Hold? {
        while true {
            let file = try PrivateFile.open(path, O_RDWR | O_CREAT)
            let isLocked = try file.use("lock \(path)") { number throws(SystemError) in
                if flock(number, operation) == 0 { return true }
                let error = SystemError.last("lock \(path)")
                if error.code == EWOULDBLOCK || error.code == EINTR { return false }
                throw error
            }
            guard isLocked else { return nil }
            let status = try file.status(path)
            guard try FileIdentity.isAt(path, status.identity) else { continue }
            // Another program could lock the file by its other name, or be blocked by this lock.
            if status.links > 1 {
                try AtomicFile.replace(path, with: [])
                continue
            }
            try PrivateFile.tighten(file, status, path)
            return Hold(file, removing: isRemoved ? path : nil)
        }
    }
}
