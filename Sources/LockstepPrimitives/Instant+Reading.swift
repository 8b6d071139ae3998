extension Instant {
    /// Reads an HTTP date (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The result is `nil` for any other text. The two obsolete formats are not read: no server in use sends them.
    ///
    /// - Parameter text: The text.
    public init?(httpDate text: some StringProtocol) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[0].count == 4, parts[0].hasSuffix(","),
            let day = Self.number(parts[1], digits: 2), let month = Self.months.firstIndex(of: String(parts[2])),
            let year = Self.number(parts[3], digits: 4), let time = Self.time(parts[4])
        else { return nil }
        self.init(year: year, month: Int64(month + 1), day: day, milliseconds: time * 1000)
    }

    /// Reads an RFC 3339 timestamp with any number of fractional digits and any offset.
    ///
    /// Fractions below a millisecond are cut off. The result is `nil` for any other text.
    ///
    /// - Parameter text: The text.
    public init?(rfc3339 text: some StringProtocol) {
        let units = Substring(text)
        guard units.utf8.count >= 20 else { return nil }
        let date = units.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3, let year = Self.number(date[0], digits: 4), let month = Self.number(date[1], digits: 2),
            let day = Self.number(date[2], digits: 2)
        else { return nil }
        var rest = units.dropFirst(10)
        guard let mark = rest.popFirst(), mark == "T" || mark == "t" || mark == " ", let time = Self.time(rest.prefix(8)) else {
            return nil
        }
        rest = rest.dropFirst(8)
        var milliseconds: Int64 = 0
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let value = Int64((digits + "000").prefix(3)), !digits.isEmpty else { return nil }
            milliseconds = value
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = Self.offset(rest) else { return nil }
        self.init(year: year, month: month, day: day, milliseconds: (time - offset) * 1000 + milliseconds)
    }

    private init?(year: Int64, month: Int64, day: Int64, milliseconds: Int64) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March so that leap days come last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(milliseconds: (era * 146_097 + dayOfEra - 719_468) * 86_400_000 + milliseconds)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// Returns the seconds since midnight of `hh:mm:ss`.
    private static func time(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the offset from UTC in seconds of `Z` or `+hh:mm`; positive values are east of Greenwich.
    private static func offset(_ text: Substring) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.first == "+" || text.first == "-", parts.count == 2, let hours = number(parts[0], digits: 2),
            let minutes = number(parts[1], digits: 2)
        else { return nil }
        return (text.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
