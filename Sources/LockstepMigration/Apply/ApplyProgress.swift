internal import LockstepPrimitives

/// How far an apply is, and what decides its speed.
public struct ApplyProgress: Sendable, Hashable {
    /// What the apply waits for most.
    public enum Limit: String, Sendable, CaseIterable {
        /// The source: users are written faster than they are read.
        case source
        /// The target: users are read faster than they are written.
        case target
        /// The target's own limit, or its failures: the run waits before the next attempt.
        case pause

        /// The limit in words.
        public var sentence: String {
            switch self {
            case .source: "limited by reading the source"
            case .target: "limited by writing to the target"
            case .pause: "waiting, because the target has too much to do"
            }
        }
    }

    /// How many users were done by this call.
    public var done: Int
    /// What decides the speed; `nil` until that is known.
    public var limit: Limit?

    /// A line for a person.
    ///
    /// - Parameters:
    ///   - total: How many users this call has to do.
    ///   - elapsed: How long it has worked.
    /// - Returns: Users done, users a second, the time left, and what decides the speed.
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
