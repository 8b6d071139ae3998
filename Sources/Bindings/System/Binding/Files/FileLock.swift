internal import CLockstepSystem

/// A lock between processes, and between holders in one process, by means of a file (`flock`).
///
/// It advises: only those who ask for it are kept out. The system frees it when its holder ends, however it ends. The file
/// stays empty and is never removed, because removing it would let two holders lock two files of one name.
public struct FileLock: Sendable {
    /// Access that is held until it is released, or forgotten.
    public final class Hold: Sendable {
        private let descriptor: Descriptor

        fileprivate init(_ descriptor: Descriptor) {
            self.descriptor = descriptor
        }

        /// Lets the next one in; a second call does nothing.
        public func release() {
            descriptor.close()
        }
    }

    private let path: String

    /// The lock that the file at `path` stands for; its folder must exist, the file is made when it is first locked.
    public init(path: String) {
        self.path = path
    }

    /// Takes the lock if it is free, without waiting; `nil` where somebody holds it.
    public func tryAcquire() throws(SystemError) -> Hold? {
        try lock(LOCK_EX | LOCK_NB)
    }

    /// Takes the lock, **blocking this thread** until it is free; so call it on a thread of your own (``BlockingThread``).
    public func acquireBlocking() throws(SystemError) -> Hold {
        while true {
            if let hold = try lock(LOCK_EX) { return hold }
        }
    }

    private func lock(_ operation: Int32) throws(SystemError) -> Hold? {
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT, mode: 0o600)
        let isLocked = try descriptor.use("lock \(path)") { number throws(SystemError) in
            if flock(number, operation) == 0 { return true }
            let error = SystemError.last("lock \(path)")
            if error.code == EWOULDBLOCK || error.code == EINTR { return false }
            throw error
        }
        return isLocked ? Hold(descriptor) : nil
    }
}
