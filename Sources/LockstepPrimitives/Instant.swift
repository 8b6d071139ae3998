/// A point in time as the calendar counts it: milliseconds since 1970-01-01 00:00 UTC.
///
/// Whether it came from this device's clock or from a server's is for its owner to say.
public struct Instant: Sendable, Hashable, Comparable, Codable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    /// The point that many milliseconds after 1970-01-01 00:00 UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The point that many seconds after 1970-01-01 00:00 UTC.
    public init(seconds: Int64) {
        self.init(milliseconds: seconds * 1000)
    }

    /// Whole seconds since 1970-01-01 00:00 UTC, rounded down.
    public var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The point `duration` later.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.milliseconds)
    }

    /// The point `duration` earlier.
    public static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds - duration.milliseconds)
    }

    /// The time from `right` to `left`; negative where `left` is the earlier.
    public static func - (left: Instant, right: Instant) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }

    /// Reads a bare number of milliseconds.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes a bare number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
