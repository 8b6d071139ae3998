internal import LockstepPrimitives

/// The progress of an apply: the number of processed users, and the cause that limits the speed.
public struct ApplyProgress: Sendable, Hashable {
    /// The cause that limits the speed of an apply.
    public enum Limit: String, Sendable, CaseIterable {
        /// The source, which returns users more slowly than they are written.
        case source
        /// The target, which writes users more slowly than they are read.
        case target
        /// The target: after a rate limit or failures, the run waits before its next attempt.
        case pause

        /// The cause as a part of a sentence.
        public var sentence: String {
            switch self {
            case .source: "limited by reading the source"
            case .target: "limited by writing to the target"
            case .pause: "waiting, because the target is overloaded"
            }
        }
    }

    /// The number of users that this call has processed so far.
    public var done: Int
    /// The cause that limits the speed; `nil` while it is unknown.
    public var limit: Limit?

    /// Returns the progress as one line of text.
    ///
    /// - Parameters:
    ///   - total: The number of users that this call must process.
    ///   - elapsed: The time since the call began.
    /// - Returns: A line with the processed users, the users per second, the remaining time, and the cause that limits the speed.
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
