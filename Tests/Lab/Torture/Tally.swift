/// What a scenario has counted, and what it has found wrong.
public struct Tally: Sendable {
    /// What was counted, in the order in which it is printed.
    public private(set) var counts: [(what: String, number: Int)] = []
    /// The failures, a sentence each with the steps to reproduce it; empty if all held.
    public private(set) var faults: [String]
    /// Why nothing could be checked here; `nil` if the check ran.
    public let excuse: String?

    /// A tally.
    public init(faults: [String] = [], excuse: String? = nil) {
        self.faults = faults
        self.excuse = excuse
    }

    /// Adds to a count.
    public mutating func count(_ what: String, _ number: Int = 1) {
        if let index = counts.firstIndex(where: { $0.what == what }) {
            counts[index].number += number
        } else {
            counts.append((what, number))
        }
    }

    /// Says what did not hold.
    public mutating func fault(_ sentence: String) { faults.append(sentence) }
}
