/// How far a reader has read a list of numbered records, such as the recorded requests.
///
/// A reader that waits for a record looks at each one once, however many others wait and however long the list is. If a reset
/// starts the numbers again, the reader begins again, too.
struct ReadingPlace: Sendable {
    private let start: Int
    private var number: Int
    private var resets: Int?

    /// Creates a place after the record with this number.
    init(after number: Int) {
        start = number
        self.number = number
    }

    /// Moves to the end of the list.
    ///
    /// - Parameters:
    ///   - last: The number of the last record.
    ///   - resets: The number of resets of the list so far.
    /// - Returns: The number after which the records are new.
    mutating func advance(to last: Int, resets: Int) -> Int {
        if resets != self.resets ?? resets { number = start }
        self.resets = resets
        defer { number = max(number, last) }
        return number
    }
}
