public import LockstepPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Instant {
    /// Creates the point in time of a date, rounded to the nearest millisecond.
    ///
    /// Dates out of range become the earliest or the latest point.
    ///
    /// - Parameter date: The date.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // Bounds that a `Double` holds exactly; beyond them the conversion would stop the process.
        if milliseconds >= 0x1p63 {
            self = .distantFuture
        } else if milliseconds < -0x1p63 || milliseconds.isNaN {
            self = .distantPast
        } else {
            self.init(milliseconds: Int64(milliseconds))
        }
    }
}

extension Date {
    /// Creates the date of a point in time.
    ///
    /// - Parameter instant: The point in time.
    public init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    }
}
