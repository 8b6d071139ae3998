internal import CLockstepSystem

/// A signal from the system or another process.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// Ctrl-C.
    case interrupt
    /// A request to end.
    case terminate
    /// The terminal is gone.
    case hangUp
    /// Ctrl-\\: a request to end and to leave an image of the memory.
    case quit
    /// The first signal whose meaning a program chooses.
    case user1
    /// The second one.
    case user2
    /// The end, without a chance to do anything; cannot be watched.
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

    /// What a shell reports as the status of a process that this signal ended.
    public var exitStatus: Int32 { 128 + number }
}
