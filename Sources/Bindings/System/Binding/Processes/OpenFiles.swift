internal import CLockstepSystem

/// The files, sockets and pipes that this process has open, and their limit.
public enum OpenFiles {
    /// The maximum number that may be open at the same time (the soft limit of `RLIMIT_NOFILE`).
    public static var limit: Int { Int(clamping: lockstep_open_file_limit()) }

    /// The number that are open now; `nil` if the system does not report it (`/dev/fd`).
    public static var count: Int? {
        // The folder is open while it is read, and is listed itself.
        (try? Folder.names("/dev/fd")).map { $0.count - 1 }
    }

    /// The numbers of the open ones; empty if the system does not list them (`/dev/fd`).
    public static var numbers: Set<Int32> { Set(((try? Folder.names("/dev/fd")) ?? []).compactMap { Int32($0) }) }

    /// Closes files in every program that is started from now on.
    ///
    /// - Parameter kept: The numbers to keep open, in addition to the standard streams.
    public static func closeInPrograms(except kept: Set<Int32>) {
        for number in numbers where number > 2 && !kept.contains(number) { _ = lockstep_close_in_programs(number) }
    }

    /// Raises the limit, as far as the system allows it.
    ///
    /// It never lowers the limit.
    ///
    /// The default is the maximum for a process on macOS. Programs that are started later inherit the limit.
    ///
    /// - Parameter wanted: The new limit. Default: 10,240.
    /// - Returns: The limit that is valid now.
    @discardableResult public static func raiseLimit(to wanted: Int = 10_240) -> Int {
        StartLimits.keep()
        lockstep_raise_open_file_limit(UInt64(clamping: wanted))
        return limit
    }
}
