internal import CLockstepSystem

/// How many files, sockets and pipes this process has open, and how many it may have.
public enum OpenFiles {
    /// How many may be open at the same time (the soft limit of `RLIMIT_NOFILE`).
    public static var limit: Int { Int(clamping: lockstep_open_file_limit()) }

    /// How many are open now; `nil` where the system does not tell (`/dev/fd`).
    public static var count: Int? {
        // The folder is open while it is read, and is listed itself.
        (try? Folder.names("/dev/fd")).map { $0.count - 1 }
    }

    /// Raises the limit to `wanted`, or as far as the system lets it; never lowers it.
    ///
    /// The default is what macOS grants a process at most. Programs that are started from now on inherit the limit.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult public static func raiseLimit(to wanted: Int = 10_240) -> Int {
        lockstep_raise_open_file_limit(UInt64(clamping: wanted))
        return limit
    }
}
