/// The number of messages that the whole server may send per period.
public struct SendingRate: Sendable, Hashable {
    /// The number of messages.
    public var count: Int
    /// The period.
    public var period: Duration
    /// Whether the count resets after each period, as a bare number of the settings means, instead of refilling evenly.
    public var isWindow: Bool

    /// A number per hour, which resets every hour.
    public init(perHour count: Int) {
        self.count = count
        period = .seconds(3600)
        isWindow = true
    }

    /// `30`, or `30/1h`.
    init?(_ text: String) {
        if let count = Int(text), count >= 0 {
            self.init(perHour: count)
            return
        }
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count == 2, let count = Int(pieces[0]), count >= 0, let period = try? GoDuration.parse(String(pieces[1])),
            period > .zero
        else { return nil }
        self.init(perHour: count)
        self.period = period
        isWindow = false
    }
}
