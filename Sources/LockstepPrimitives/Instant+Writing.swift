extension Instant: CustomStringConvertible {
    /// The same text as ``rfc3339``.
    public var description: String { rfc3339 }

    /// The time in RFC 3339 with milliseconds, such as `2026-11-21T13:32:29.120Z`.
    ///
    /// Dates before 1582 are also written in the Gregorian calendar. If the year is not from 0 to 9999, the property
    /// returns the nearest time in that range.
    public var rfc3339: String {
        var text = rfc3339Units
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The time in RFC 3339 without zeros at the end of the fraction, such as `2026-11-21T13:32:29.12Z`.
    public var shortRFC3339: String {
        var text = rfc3339Units
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    private var rfc3339Units: [UInt8] {
        var text = CivilDate(self).text
        let fraction = Int(milliseconds - (milliseconds / 1000) * 1000 + 1000) % 1000
        text.append(UInt8(ascii: "."))
        text.append(UInt8(ascii: "0") + UInt8(fraction / 100))
        text.append(pair: fraction % 100)
        return text
    }

    /// The time as an HTTP date, such as `Sat, 21 Nov 2026 13:32:29 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String {
        let date = CivilDate(self)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let text = date.text
        let texts = [text[8..<10], text[..<4], text[11...]].map { String(decoding: $0, as: UTF8.self) }
        return "\(weekdays[date.weekday]), \(texts[0]) \(months[date.month - 1]) \(texts[1]) \(texts[2]) GMT"
    }
}

/// An instant as a calendar date and time in UTC.
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int
    var weekday: Int
    var secondOfDay: Int

    /// The seconds from the beginning of year 0 to the end of 9999.
    private static let seconds = -62_167_219_200...253_402_300_799

    /// Converts an instant by Howard Hinnant's `civil_from_days`.
    ///
    /// Its years begin in March, so the leap day is the last day of the year.
    init(_ instant: Instant) {
        // The texts have only four digits for a year. A time outside this range becomes the first or last possible time.
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

    /// The text, such as `2026-11-21T13:32:29`.
    ///
    /// It is written without a loop because user documents contain many times.
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(pair: year / 100)
        text.append(pair: year % 100)
        text.append(UInt8(ascii: "-"))
        text.append(pair: month)
        text.append(UInt8(ascii: "-"))
        text.append(pair: day)
        text.append(UInt8(ascii: "T"))
        text.append(pair: secondOfDay / 3600)
        text.append(UInt8(ascii: ":"))
        text.append(pair: secondOfDay / 60 % 60)
        text.append(UInt8(ascii: ":"))
        text.append(pair: secondOfDay % 60)
        return text
    }
}

extension [UInt8] {
    /// Appends two digits of a number from 0 to 99.
    fileprivate mutating func append(pair number: Int) {
        append(UInt8(ascii: "0") + UInt8(number / 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
