public import LockstepPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Instant {
    /// Creates a point in time from a date, rounded to the nearest millisecond.
    ///
    /// If the date is out of range, the result is the earliest or the latest possible point in time.
    ///
    /// - Parameter date: The date.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // A `Double` represents these bounds exactly. Beyond them, the conversion would crash.
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
    /// Creates a date from a point in time.
    ///
    /// - Parameter instant: The point in time.
    public init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    }
}
