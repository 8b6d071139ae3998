internal import LockstepPrimitives

/// The distance between two times in words.
struct Age {
    /// How many seconds the time lies in the past; negative for a time in the future.
    let seconds: Int64

    init(of instant: Instant, at now: Instant) { seconds = (now - instant).milliseconds / 1000 }

    /// The words of a table: "12 s ago", "in 5 min".
    var short: String { text(["s", "min", "h", "d"]) { unit, _ in unit } }

    /// The words of a sentence: "12 seconds ago", "in 1 hour".
    var words: String { text(["second", "minute", "hour", "day"]) { $1 == 1 ? $0 : $0 + "s" } }

    private func text(_ units: [String], _ plural: (String, Int64) -> String) -> String {
        let size = abs(seconds)
        let (count, unit) =
            size < 120
            ? (size, units[0])
            : size < 7200 ? (size / 60, units[1]) : size < 172_800 ? (size / 3600, units[2]) : (size / 86_400, units[3])
        let text = "\(count) \(plural(unit, count))"
        return seconds < 0 ? "in \(text)" : "\(text) ago"
    }
}

extension Instant {
    /// The date and the time in UTC, to the second: `2027-01-01 12:00:00`.
    var plain: String {
        let text = rfc3339
        return text.utf8.count == 24 ? text.prefix(10) + " " + text.dropFirst(11).prefix(8) : text
    }
}
