/// The results of a run.
package struct FuzzFindings: Sendable {
    /// One response that must not occur.
    package struct Finding: Sendable, CustomStringConvertible {
        /// The whole finding: the place, the fault, and how to reproduce it.
        package let description: String
    }

    /// The findings, in order.
    package private(set) var all: [Finding] = []
    /// The number of requests.
    package private(set) var requests = 0
    /// The number of responses for each hundred of statuses; 0 for no response.
    package private(set) var answers: [Int: Int] = [:]

    init() {}

    mutating func count(_ status: Int) {
        requests += 1
        answers[status / 100, default: 0] += 1
    }

    mutating func note(_ provider: String, _ seed: UInt64, _ number: Int, _ fault: String, _ line: String) {
        all.append(Finding(description: "\(provider), seed \(seed), request \(number): \(fault)\n    \(line)"))
    }

    /// Adds the findings of another run.
    package mutating func add(_ other: FuzzFindings) {
        all += other.all
        requests += other.requests
        answers.merge(other.answers, uniquingKeysWith: +)
    }
}
