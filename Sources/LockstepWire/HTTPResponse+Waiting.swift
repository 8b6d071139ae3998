public import LockstepHTTP
internal import LockstepPrimitives

extension HTTPResponse {
    /// How long the answer asks to wait (`Retry-After`, RFC 9110, section 10.2.3): seconds, or a date, read by the `Date` of the
    /// same answer and by no clock of this device.
    ///
    /// `nil` where there is none, and for what is neither; a time beyond any bound is the longest there is, and
    /// ``Lockstep/AuthError`` limits it to a day for the app.
    public var retryAfter: Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if let seconds = Duration(toldSeconds: value) { return seconds }
        guard let date = headers["Date"].flatMap({ Instant(httpDate: $0) }), let end = Instant(httpDate: value) else {
            return nil
        }
        return max(end - date, .zero)
    }
}

extension Duration {
    /// Decimal digits as seconds, as many as there are; `nil` for anything else, a sign included.
    public init?(toldSeconds text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self = .seconds(Int64(text) ?? .max)
    }
}
