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

    /// The numbers of those that are open now; none where the system does not list them (`/dev/fd`).
    public static var numbers: Set<Int32> { Set(((try? Folder.names("/dev/fd")) ?? []).compactMap { Int32($0) }) }

    /// Closes files in every program that is started from now on, except these and the standard streams.
    public static func closeInPrograms(except kept: Set<Int32>) {
        for number in numbers where number > 2 && !kept.contains(number) { _ = lockstep_close_in_programs(number) }
    }

    /// Raises the limit to `wanted`, or as far as the system lets it; never lowers it.
    ///
    /// The default is what macOS grants a process at most. Programs that are started from now on inherit the limit.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult public static func raiseLimit(to wanted: Int = 10_240) -> Int {
        StartLimits.keep()
        lockstep_raise_open_file_limit(UInt64(clamping: wanted))
        return limit
    }
}
