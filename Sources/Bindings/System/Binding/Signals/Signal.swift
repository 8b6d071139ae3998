internal import CLockstepSystem

/// A signal that the system or another process sends to a process.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// A person has pressed Ctrl-C.
    case interrupt
    /// Someone asks the process to end.
    case terminate
    /// The terminal was closed.
    case hangUp
    /// A person has pressed Ctrl-\\, to end the process and write its memory to a file.
    case quit
    /// The first signal whose meaning each program decides itself.
    case user1
    /// The second signal whose meaning each program decides itself.
    case user2
    /// The process ends immediately.
    ///
    /// A program cannot watch this signal.
    case kill

    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .quit: SIGQUIT
        case .user1: SIGUSR1
        case .user2: SIGUSR2
        case .kill: SIGKILL
        }
    }

    /// The exit status that a shell reports for a process that this signal has ended.
    public var exitStatus: Int32 { 128 + number }
}
