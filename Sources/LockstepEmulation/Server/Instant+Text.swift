public import LockstepPrimitives

extension Instant {
    /// `2026-11-21T13:32:29.120Z` (RFC 3339), milliseconds always written.
    public var rfc3339: String {
        let date = CivilDate(self)
        let fraction = String(((milliseconds % 1000) + 1000) % 1000)
        return "\(date.year.padded(4))-\(date.month.padded(2))-\(date.day.padded(2))T\(date.time)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction + "Z"
    }

    /// `Sat, 21 Nov 2026 13:32:29 GMT` (RFC 9110, section 5.6.7).
    public var httpDate: String {
        let date = CivilDate(self)
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return
            "\(weekdays[date.weekday]), \(date.day.padded(2)) \(months[date.month - 1]) \(date.year.padded(4)) \(date.time) GMT"
    }
}

/// An instant as the calendar writes it, in UTC.
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int
    var weekday: Int
    var secondOfDay: Int

    /// Howard Hinnant's `civil_from_days`: years that begin in March make the leap day the last.
    init(_ instant: Instant) {
        let seconds = Int(instant.seconds)
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

    var time: String {
        "\((secondOfDay / 3600).padded(2)):\((secondOfDay / 60 % 60).padded(2)):\((secondOfDay % 60).padded(2))"
    }
}

extension Int {
    fileprivate func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
