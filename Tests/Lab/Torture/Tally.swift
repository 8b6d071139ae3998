/// The counts and the findings of a scenario.
package struct Tally: Sendable {
    /// The counts, in the order in which they are printed.
    package private(set) var counts: [(what: String, number: Int)] = []
    /// The failures, one sentence each with the steps to reproduce it; empty if there are none.
    package private(set) var faults: [String]
    /// The reason why nothing could be checked here; `nil` if the check ran.
    package let excuse: String?

    /// Creates a tally.
    package init(faults: [String] = [], excuse: String? = nil) {
        self.faults = faults
        self.excuse = excuse
    }

    /// Adds to a count.
    package mutating func count(_ what: String, _ number: Int = 1) {
        if let index = counts.firstIndex(where: { $0.what == what }) {
            counts[index].number += number
        } else {
            counts.append((what, number))
        }
    }

    /// Adds a failure.
    package mutating func fault(_ sentence: String) { faults.append(sentence) }
}
