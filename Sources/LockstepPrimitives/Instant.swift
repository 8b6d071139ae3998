/// A point in time: milliseconds since 1970-01-01 00:00 UTC.
///
/// The documentation of each property of this type says which clock measured the time: the device's or a server's.
/// Arithmetic never overflows, because results are limited to the range from ``distantPast`` to ``distantFuture``. So a
/// wrong number from a server cannot crash the process.
///
/// ```swift
/// let end = SystemClock().now + .seconds(60)
/// print(end.rfc3339)
/// ```
public struct Instant: Sendable, Hashable, Comparable, Codable {
    /// The number of milliseconds since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    /// Creates a point in time from the milliseconds since 1970-01-01 00:00 UTC.
    ///
    /// - Parameter milliseconds: The number of milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a point in time from the seconds since 1970-01-01 00:00 UTC.
    ///
    /// - Parameter seconds: The number of seconds.
    public init(seconds: Int64) {
        let (milliseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: isBeyond ? (seconds < 0 ? .min : .max) : milliseconds)
    }

    /// The earliest point in time, 292 million years ago.
    public static let distantPast = Instant(milliseconds: .min)
    /// The latest point in time, in 292 million years.
    public static let distantFuture = Instant(milliseconds: .max)

    /// The number of whole seconds since 1970-01-01 00:00 UTC, rounded down.
    public var seconds: Int64 {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? whole - 1 : whole
    }

    /// Returns whether `left` is earlier than `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the point in time that is `duration` later.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, isBeyond) = instant.milliseconds.addingReportingOverflow(duration.milliseconds)
        return isBeyond ? (duration < .zero ? .distantPast : .distantFuture) : Instant(milliseconds: sum)
    }

    /// Returns the point in time that is `duration` earlier.
    public static func - (instant: Instant, duration: Duration) -> Instant {
        let (difference, isBeyond) = instant.milliseconds.subtractingReportingOverflow(duration.milliseconds)
        return isBeyond ? (duration < .zero ? .distantFuture : .distantPast) : Instant(milliseconds: difference)
    }

    /// Returns the time from `right` to `left`; negative if `left` is earlier.
    public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, isBeyond) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return .milliseconds(isBeyond ? (left < right ? .min : .max) : difference)
    }

    /// Decodes a number of milliseconds since 1970.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: The errors of the decoder.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the number of milliseconds since 1970.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Duration {
    /// The whole milliseconds, rounded towards zero and limited to the range of `Int64`.
    public var milliseconds: Int64 {
        // Outside these bounds, the product below would overflow. Far outside, `components` would overflow, too.
        if self >= .milliseconds(Int64.max) { return .max }
        if self <= .milliseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isFurther) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isBeyond || isFurther ? (seconds < 0 ? .min : .max) : sum
    }

    /// Returns the duration, limited to a range.
    ///
    /// - Parameter bounds: The range.
    /// - Returns: The duration, or the nearer bound if the duration is outside the range.
    public func clamped(to bounds: ClosedRange<Duration>) -> Duration {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}

extension Duration {
    /// The duration in words for people, in whole seconds and rounded up, such as "60 seconds".
    ///
    /// A wait that is rounded down would end too early.
    package var inWholeSeconds: String {
        let milliseconds = max(milliseconds, 0)
        // Also rounds up a fraction of a millisecond, which `milliseconds` drops.
        let isWhole = milliseconds % 1000 == 0 && self <= .milliseconds(milliseconds)
        let seconds = milliseconds / 1000 + (isWhole ? 0 : 1)
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}
