/// The number of users in the next batch: as many as the target writes in about a second.
///
/// A kill leaves the outcomes of at most two batches open, and the intent of a third.
struct BatchSize: Sendable, Hashable {
    private(set) var value: Int
    private let most: Int

    /// The smallest batch, unless the largest batch is smaller.
    static let least = 8
    private static let first = 25

    /// Starts with a small batch, because nothing is known about the target yet.
    ///
    /// - Parameter most: The largest batch.
    init(upTo most: Int) {
        self.most = most
        value = min(Self.first, most)
    }

    /// Adapts to the duration of a batch: the next batch has twice as many users, or half as many.
    mutating func adapt(to duration: Duration) {
        if duration < .milliseconds(400) {
            value = min(value * 2, most)
        } else if duration > .seconds(1) {
            halve()
        }
    }

    /// Records that the target is overloaded.
    mutating func halve() { value = max(value / 2, min(Self.least, most)) }
}
