package import LockstepPrimitives

extension Instant {
    /// Reads a time of a token (RFC 7519, NumericDate): seconds since 1970, with or without a fraction.
    ///
    /// - `claim`: The claim.
    ///
    /// Returns the time; `nil` for any other value, and for a time after the year 9999 or equally far before 1970.
    package init?(numericDate claim: JSON?) {
        guard let seconds = claim?.double, abs(seconds) < 253_402_300_800 else { return nil }
        self.init(milliseconds: Int64(seconds * 1000))
    }

    /// Reads the time of a sign-in: a NumericDate that is not before 1970.
    ///
    /// - `claim`: The claim.
    ///
    /// Returns the time; `nil` for any other value.
    package init?(signInDate claim: JSON?) {
        self.init(numericDate: claim)
        guard milliseconds >= 0 else { return nil }
    }
}
