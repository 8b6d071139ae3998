/// The events of one run, as numbers: each selects one of the moves that are possible at its turn.
///
/// Every list of numbers is a schedule, so a failing one can be shortened and stays valid.
package struct Schedule: Sendable, Hashable, CustomStringConvertible {
    /// The numbers.
    package var moves: [UInt16]

    /// Creates a schedule from its numbers.
    package init(moves: [UInt16]) { self.moves = moves }

    /// The schedule of a seed.
    package init(seed: UInt64, length: Int = 60) {
        var generator = SeededGenerator(seed: seed)
        moves = (0..<length).map { _ in UInt16(truncatingIfNeeded: generator.next() >> 24) }
    }

    /// The numbers, as input for ``init(_:)``.
    package var description: String { moves.map(String.init).joined(separator: ",") }

    /// Reads numbers as ``description`` writes them; `nil` if the text is malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: ",").map { UInt16($0) }
        guard !parts.isEmpty, !parts.contains(nil) else { return nil }
        moves = parts.compactMap { $0 }
    }

    /// The shortest schedule that still fails after moves are left out.
    func shrunk(while fails: (Schedule) -> Bool) -> Schedule {
        var best = self
        var size = max(1, moves.count / 2)
        while true {
            var start = 0
            var isShorter = false
            while start < best.moves.count {
                var shorter = best
                shorter.moves.removeSubrange(start..<min(start + size, best.moves.count))
                if !shorter.moves.isEmpty, fails(shorter) {
                    best = shorter
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { return best }
            size = max(1, size / 2)
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, everywhere.
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
