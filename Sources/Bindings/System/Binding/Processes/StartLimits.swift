internal import CLockstepSystem
internal import Synchronization

/// The limits that this process was started with: programs that it starts for a user get them again.
struct StartLimits: Sendable {
    var openFiles: UInt64
    var coreDump: UInt64

    private static let kept = Mutex<StartLimits?>(nil)

    /// The limits at the start, as far as they were kept; otherwise those of now.
    static var current: StartLimits { kept.withLock { $0 } ?? now }

    /// Keeps the limits; called before one is changed, the first call counts.
    static func keep() { kept.withLock { $0 = $0 ?? now } }

    private static var now: StartLimits {
        StartLimits(openFiles: lockstep_open_file_limit(), coreDump: lockstep_core_dump_limit())
    }
}
