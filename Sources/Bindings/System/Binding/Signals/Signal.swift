internal import CLockstepSystem

/// A signal from the system or another process.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// Ctrl-C.
    case interrupt
    /// A request to end.
    case terminate
    /// The terminal is gone.
    case hangUp
    /// The end, without a chance to do anything; cannot be watched.
    case kill

    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .kill: SIGKILL
        }
    }

    /// What a shell reports as the status of a process that this signal ended.
    public var exitStatus: Int32 { 128 + number }
}
