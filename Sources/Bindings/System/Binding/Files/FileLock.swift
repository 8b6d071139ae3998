internal import CLockstepSystem

/// A lock between processes, and between holders in one process, with a lock file (`flock`).
///
/// It is advisory: it excludes only programs that use it. The system releases it when its holder ends, however it ends.
/// The file stays empty. A holder checks that the locked file is still the one at the path. So two holders are never
/// inside at the same time, even if the file was removed or replaced.
public struct FileLock: Sendable {
    /// A held lock.
    ///
    /// It ends when it is released, or when the last reference to it is released.
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
        /// A second call does nothing.
        public func release() {
            descriptor.close { number in
                // While it is still locked: the next holder sees, once it has the lock, that its file is not the one at the path.
                if let removed { try? AtomicFile.remove(removed) }
                Self.unlock(number)
            }
        }

        /// Unlocks the file.
        ///
        /// A close alone is not enough: a child that was forked has a copy of the descriptor until it executes its program, and the
        /// lock is held as long as a copy is open.
        private static func unlock(_ number: Int32) { flock(number, LOCK_UN) }
    }

    private let path: String
    private let isRemoved: Bool

    /// Creates a lock for a lock file.
    ///
    /// Its folder must exist, and the file is created when it is first locked.
    ///
    /// - Parameters:
    ///   - path: The path of the lock file.
    ///   - isRemoved: Whether the holder removes the file when it releases the lock, for locks of which there are many.
    public init(path: String, isRemoved: Bool = false) {
        self.path = path
        self.isRemoved = isRemoved
    }

    /// Takes the lock if it is free, without waiting.
    ///
    /// - Returns: The held lock; `nil` if it is not free.
    /// - Throws: ``SystemError``, with a ``SystemError/refusal`` if the path is not a file of this user.
    public func tryAcquire() throws(SystemError) -> Hold? {
        try lock(LOCK_EX | LOCK_NB)
    }

    /// Takes the lock, and **blocks this thread** until it is free.
    ///
    /// Call it on your own thread (``BlockingThread``).
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
            // By its other name another program could hold it, or be kept out by it.
            if status.links > 1 {
                try AtomicFile.replace(path, with: [])
                continue
            }
            try PrivateFile.tighten(file, status, path)
            return Hold(file, removing: isRemoved ? path : nil)
        }
    }
}
