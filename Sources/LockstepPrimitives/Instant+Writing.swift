extension Instant {
    /// The time in RFC 3339 with milliseconds, such as `2026-11-21T13:32:29.120Z`, by the Gregorian calendar before 1582, too.
    ///
    /// A time outside of the years 0 to 9999 is written as the nearest one that four digits can say.
    public var rfc3339: String {
        var text = CivilDate(self).text
        text.append(UInt8(ascii: "."))
        text.append(Int(milliseconds - (milliseconds / 1000) * 1000 + 1000) % 1000, digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// `Sat, 21 Nov 2026 13:32:29 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String {
        let date = CivilDate(self)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var day: [UInt8] = []
        day.append(date.day, digits: 2)
        var year: [UInt8] = []
        year.append(date.year, digits: 4)
        let texts = [day, year, Array(date.text.suffix(8))].map { String(decoding: $0, as: UTF8.self) }
        return "\(weekdays[date.weekday]), \(texts[0]) \(months[date.month - 1]) \(texts[1]) \(texts[2]) GMT"
    }
}

/// An instant as the calendar writes it, in UTC.
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int
    var weekday: Int
    var secondOfDay: Int

    /// From the beginning of year 0 to the end of 9999.
    private static let seconds = -62_167_219_200...253_402_300_799

    /// Howard Hinnant's `civil_from_days`: years that begin in March make the leap day the last.
    init(_ instant: Instant) {
        // Four digits are all that the texts have for a year; what lies beyond is written as the last or first that they can say.
        let seconds = min(max(Int(instant.seconds), Self.seconds.lowerBound), Self.seconds.upperBound)
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        secondOfDay = seconds - days * 86_400
        weekday = ((days + 4) % 7 + 7) % 7
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// As in `2026-11-21T13:32:29`.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        for (number, digits, end) in [
            (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (secondOfDay / 3600, 2, ":"), (secondOfDay / 60 % 60, 2, ":"),
        ] as [(Int, Int, Unicode.Scalar)] {
            text.append(number, digits: digits)
            text.append(UInt8(ascii: end))
        }
        text.append(secondOfDay % 60, digits: 2)
        return text
    }
}

extension [UInt8] {
    /// The last `digits` digits of a number that is not negative.
    fileprivate mutating func append(_ number: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
