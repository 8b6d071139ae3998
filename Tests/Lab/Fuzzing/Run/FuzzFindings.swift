/// The results of a run.
public struct FuzzFindings: Sendable {
    /// One answer that must not be.
    public struct Finding: Sendable, CustomStringConvertible {
        /// All of it: where, what, and how to have it again.
        public let description: String
    }

    /// The findings, in order.
    public private(set) var all: [Finding] = []
    /// How many requests were sent.
    public private(set) var requests = 0
    /// How many answers there were of each hundred; 0 for none.
    public private(set) var answers: [Int: Int] = [:]

    init() {}

    mutating func count(_ status: Int) {
        requests += 1
        answers[status / 100, default: 0] += 1
    }

    mutating func note(_ provider: String, _ seed: UInt64, _ number: Int, _ fault: String, _ line: String) {
        all.append(Finding(description: "\(provider), seed \(seed), request \(number): \(fault)\n    \(line)"))
    }

    /// Adds those of another run.
    public mutating func add(_ other: FuzzFindings) {
        all += other.all
        requests += other.requests
        answers.merge(other.answers, uniquingKeysWith: +)
    }
}
