internal import CLockstepSystem

/// A signal from the system or another process.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// Ctrl-C.
    case interrupt
    /// A request to exit.
    case terminate
    /// The terminal was closed.
    case hangUp
    /// Ctrl-\\: a request to exit and to write the memory to a file.
    case quit
    /// The first signal with a custom meaning.
    case user1
    /// The second signal with a custom meaning.
    case user2
    /// The immediate end.
    ///
    /// It cannot be watched.
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

    /// The exit status that a shell reports for a process that this signal ended.
    public var exitStatus: Int32 { 128 + number }
}
