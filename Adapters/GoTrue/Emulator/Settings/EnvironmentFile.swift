/// A file of settings, one `NAME=value` a line, as shells and containers read it.
public enum EnvironmentFile {
    /// The pairs of a file: blank lines and lines that begin with `#` are skipped, one pair of quotes around a value is taken off.
    public static func parse(_ text: String) -> [(name: String, value: String)] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            var line = line.drop { $0 == " " || $0 == "\t" }
            if line.hasPrefix("export ") { line = line.dropFirst(7) }
            guard !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { return nil }
            var value = line[line.index(after: sign)...]
            while value.last == " " || value.last == "\r" { value.removeLast() }
            if let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote {
                value = value.dropFirst().dropLast()
            }
            return (String(line[..<sign]), String(value))
        }
    }
}
