internal import CLockstepSystem
internal import Synchronization

/// The limit of core dumps.
///
/// This process forbids its own. The programs that it starts for a user get the limit with which this process was started.
enum CoreDumps {
    private static let kept = Mutex<UInt64?>(nil)

    /// The limit at the start if this process has changed it; otherwise the current limit.
    static var limitAtStart: UInt64 { kept.withLock { $0 } ?? lockstep_core_dump_limit() }

    /// Sets the limit of this process to zero.
    static func forbid() {
        kept.withLock { $0 = $0 ?? lockstep_core_dump_limit() }
        lockstep_forbid_core_dumps()
    }
}
