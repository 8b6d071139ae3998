internal import CLockstepSystem

/// Facts about the files, sockets and pipes that this process has open.
public enum OpenFiles {
    /// The maximum number of open files (the soft limit of `RLIMIT_NOFILE`).
    public static var limit: Int { Int(clamping: lockstep_open_file_limit()) }

    /// The number of files that are open now; `nil` if the system does not report it (`/dev/fd`).
    public static var count: Int? {
        // The folder itself is open while it is read, and is in the list.
        (try? Folder.names("/dev/fd")).map { $0.count - 1 }
    }

    /// The numbers of the open files; none if the system does not list them (`/dev/fd`).
    public static var numbers: Set<Int32> { Set(((try? Folder.names("/dev/fd")) ?? []).compactMap { Int32($0) }) }

    /// Makes sure that programs which are started from now on do not inherit open files.
    ///
    /// - Parameter kept: The numbers of the open files that these programs inherit. They always inherit the standard streams.
    public static func closeInPrograms(except kept: Set<Int32>) {
        for number in numbers where number > 2 && !kept.contains(number) { _ = lockstep_close_in_programs(number) }
    }

    /// Raises the maximum number of open files, as far as the system allows this.
    ///
    /// The call never lowers the number.
    ///
    /// Programs that are started later inherit the number. The default is the most that a process on macOS can have. Only tests
    /// call it: a command lives with the limit of its user.
    ///
    /// - Parameter wanted: The new number. Default: 10,240.
    /// - Returns: The number that is now in effect.
    @discardableResult public static func raiseLimit(to wanted: Int = 10_240) -> Int {
        lockstep_raise_open_file_limit(UInt64(clamping: wanted))
        return limit
    }
}
