/// How many messages the whole server may send in a time.
public struct SendingRate: Sendable, Hashable {
    /// How many.
    public var count: Int
    /// In which time.
    public var period: Duration
    /// Whether the time begins anew after each period, as a bare number of the settings means it, rather than to refill evenly.
    public var isWindow: Bool

    /// So many an hour, an hour at a time.
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
