internal import CLockstepSystem

/// A file that is locked (`flock`) until it is removed or its process ends.
///
/// So a process of another container or process namespace, to which the writer's process id says nothing, can see whether the
/// writer is still running.
public final class HeldFile: Sendable {
    /// The path of the file.
    public let path: String
    private let file: Descriptor
    private let identity: FileIdentity

    /// Replaces a file, like ``AtomicFile/replace(_:with:mode:isDurable:marking:)`` without waiting for the disk.
    ///
    /// The file is locked before it is at the path. If the file system has no locks, the file is only written.
    ///
    /// - Throws: ``SystemError``. After an error, the old bytes are unchanged.
    public init(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let new = try FileReplacement(path)
        do throws(SystemError) {
            try new.write(bytes)
            file = try new.commitLocked()
            identity = try file.status(path).identity
        } catch {
            new.discard()
            throw error
        }
        self.path = new.path
    }

    /// Removes the file, unless another file is at its path now; further calls do nothing.
    public func remove() {
        file.close { number in
            if (try? FileIdentity.isAt(path, identity)) == true { try? AtomicFile.remove(path) }
            flock(number, LOCK_UN)
        }
    }

    /// Returns whether a running process holds the file at a path, also in another process namespace.
    ///
    /// - Returns: Whether the file is locked; `false` if it cannot be opened, or if the file system has no locks.
    public static func isHeld(_ path: String) -> Bool {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return false }
        let isFree = try? file.use("lock \(path)") { flock($0, LOCK_SH | LOCK_NB) == 0 || lockstep_errno() != EWOULDBLOCK }
        return isFree == false
    }
}
