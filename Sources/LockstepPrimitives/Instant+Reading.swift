extension Instant {
    /// Reads an HTTP date (RFC 9110, section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The result is `nil` if the text has another format. The result is also `nil` for the two obsolete formats, which
    /// servers no longer send.
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
    /// Fractions of a millisecond are ignored. The result is `nil` if the text has another format.
    ///
    /// ```swift
    /// if let end = Instant(rfc3339: "2026-11-21T13:32:29.120Z") { print(end.seconds) }
    /// ```
    ///
    /// - Parameter text: The text.
    public init?(rfc3339 text: some StringProtocol) {
        // An array of bytes is faster than generic text, and each user in a list has several times.
        let units = Array((text as? String ?? String(text)).utf8)
        guard units.count >= 20, let year = Self.number(units, 0..<4), units[4] == UInt8(ascii: "-"),
            let month = Self.number(units, 5..<7), units[7] == UInt8(ascii: "-"), let day = Self.number(units, 8..<10),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(units[10]), let time = Self.time(units, from: 11)
        else { return nil }
        var place = 19
        var milliseconds: Int64 = 0
        if units[place] == UInt8(ascii: ".") {
            place += 1
            let start = place
            var weight: Int64 = 100
            while place < units.count, let digit = Self.number(units, place..<place + 1) {
                milliseconds += digit * weight
                weight /= 10
                place += 1
            }
            guard place > start else { return nil }
        }
        guard let offset = Self.offset(units, from: place) else { return nil }
        self.init(year: year, month: month, day: day, milliseconds: (time - offset) * 1000 + milliseconds)
    }

    private init?(year: Int64, month: Int64, day: Int64, milliseconds: Int64) {
        guard (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day) else { return nil }
        // Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March so that leap days come last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(milliseconds: (era * 146_097 + dayOfEra - 719_468) * 86_400_000 + milliseconds)
    }

    /// Returns the number of days of a month in the Gregorian calendar.
    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
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

    /// Returns the number in a range of bytes; `nil` unless all of them are digits.
    private static func number(_ units: [UInt8], _ range: Range<Int>) -> Int64? {
        var number: Int64 = 0
        for unit in units[range] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) else { return nil }
            number = number * 10 + Int64(unit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Returns the seconds since midnight for the text `hh:mm:ss` at a place.
    private static func time(_ units: [UInt8], from place: Int) -> Int64? {
        guard let hour = number(units, place..<place + 2), units[place + 2] == UInt8(ascii: ":"),
            let minute = number(units, place + 3..<place + 5), units[place + 5] == UInt8(ascii: ":"),
            let second = number(units, place + 6..<place + 8), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the offset from UTC in seconds, read from the `Z` or `+hh:mm` at the end.
    private static func offset(_ units: [UInt8], from place: Int) -> Int64? {
        guard place < units.count else { return nil }
        let mark = units[place]
        if mark == UInt8(ascii: "Z") || mark == UInt8(ascii: "z") { return place + 1 == units.count ? 0 : nil }
        guard mark == UInt8(ascii: "+") || mark == UInt8(ascii: "-"), place + 6 == units.count,
            let hours = number(units, place + 1..<place + 3), units[place + 3] == UInt8(ascii: ":"),
            let minutes = number(units, place + 4..<place + 6)
        else { return nil }
        return (mark == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
