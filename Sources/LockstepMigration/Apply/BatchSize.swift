/// How many users the next batch has: as many as the target writes in about a second.
///
/// A batch is what a kill leaves open. So no user's outcome is older than the time of a batch before it is on the disk.
struct BatchSize: Sendable, Hashable {
    private(set) var value: Int
    private let most: Int

    /// The smallest batch, unless the largest one is smaller.
    static let least = 8
    private static let first = 25

    /// The first batch is small: nothing is known about the target yet.
    ///
    /// - Parameter most: The largest batch.
    init(upTo most: Int) {
        self.most = most
        value = min(Self.first, most)
    }

    /// Adapts to the time that a batch took: twice as many users next time, or half as many.
    mutating func adapt(to duration: Duration) {
        if duration < .milliseconds(400) {
            value = min(value * 2, most)
        } else if duration > .seconds(1) {
            halve()
        }
    }

    /// The target has too much to do.
    mutating func halve() { value = max(value / 2, min(Self.least, most)) }
}
