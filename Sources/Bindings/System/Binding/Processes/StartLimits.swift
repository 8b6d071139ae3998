internal import CLockstepSystem
internal import Synchronization

/// The limits with which this process was started.
///
/// The programs that it starts for a user get the same limits.
struct StartLimits: Sendable {
    var openFiles: UInt64
    var coreDump: UInt64

    private static let kept = Mutex<StartLimits?>(nil)

    /// The limits at the start, if they were kept; otherwise the current ones.
    static var current: StartLimits { kept.withLock { $0 } ?? now }

    /// Keeps the limits.
    ///
    /// It is called before a limit is changed, and only the first call has an effect.
    static func keep() { kept.withLock { $0 = $0 ?? now } }

    private static var now: StartLimits {
        StartLimits(openFiles: lockstep_open_file_limit(), coreDump: lockstep_core_dump_limit())
    }
}
