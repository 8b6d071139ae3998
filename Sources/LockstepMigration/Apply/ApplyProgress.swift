internal import LockstepPrimitives

/// The progress of an apply, and the limit of its speed.
public struct ApplyProgress: Sendable, Hashable {
    /// The part that limits the speed.
    public enum Limit: String, Sendable, CaseIterable {
        /// The source: users are written faster than they are read.
        case source
        /// The target: users are read faster than they are written.
        case target
        /// The target's rate limit, or its failures: the run waits before the next attempt.
        case pause

        /// The limit in words.
        public var sentence: String {
            switch self {
            case .source: "limited by reading the source"
            case .target: "limited by writing to the target"
            case .pause: "waiting, because the target is overloaded"
            }
        }
    }

    /// The number of users that this call has processed.
    public var done: Int
    /// The part that limits the speed; `nil` until it is known.
    public var limit: Limit?

    /// Returns the progress as a line of text.
    ///
    /// - Parameters:
    ///   - total: The number of users that this call must process.
    ///   - elapsed: The elapsed time.
    /// - Returns: The processed users, users per second, the remaining time, and the limit of the speed.
    public func text(of total: Int, after elapsed: Duration) -> String {
        var parts = ["\(PlanSummary.grouped(done)) of \(PlanSummary.grouped(total)) users done"]
        let milliseconds = elapsed.milliseconds
        if done > 0, milliseconds > 0 {
            parts.append("\(PlanSummary.grouped(Int(Int64(done) * 1000 / milliseconds))) a second")
            let left = Int64(max(total - done, 0)) * milliseconds / Int64(done) / 1000
            parts.append(left < 120 ? "\(left) s left" : left < 7200 ? "\(left / 60) min left" : "\(left / 3600) h left")
        }
        if let limit { parts.append(limit.sentence) }
        return parts.joined(separator: ", ")
    }
}
