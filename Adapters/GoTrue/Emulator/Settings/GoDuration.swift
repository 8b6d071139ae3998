/// A duration in the format of Go's `time.ParseDuration`: `24h`, `1h30m`, `1.5s`, `1ms`.
enum GoDuration {
    /// Go's own error text.
    struct Malformed: Error, Equatable {
        var message: String
    }

    /// Reads a duration.
    static func parse(_ text: String) throws(Malformed) -> Duration {
        var rest = text[...]
        let isNegative = rest.first == "-"
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        if rest == "0" { return .zero }
        guard !rest.isEmpty else { throw invalid(text) }
        var total = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = Double(digits.hasPrefix(".") ? "0" + digits : String(digits)) else { throw invalid(text) }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
            guard !unit.isEmpty else { throw Malformed(message: "time: missing unit in duration \(GoText.quoted(text))") }
            guard let seconds = units[String(unit)] else {
                throw Malformed(message: "time: unknown unit \(GoText.quoted(String(unit))) in duration \(GoText.quoted(text))")
            }
            total += number * seconds
            rest = rest.dropFirst(unit.count)
        }
        guard total < 9.2e9 else { throw invalid(text) }
        return .milliseconds(Int64((isNegative ? -total : total) * 1000))
    }

    /// Returns a duration in the format of a settings file: whole seconds, or milliseconds.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return attoseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
    }

    private static func invalid(_ text: String) -> Malformed {
        Malformed(message: "time: invalid duration \(GoText.quoted(text))")
    }

    private static let units: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
}
