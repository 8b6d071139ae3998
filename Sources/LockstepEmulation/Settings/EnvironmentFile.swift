/// A file of settings, with one `NAME=value` per line, as shells and containers use it.
public enum EnvironmentFile {
    /// Returns the names and values in a file.
    ///
    /// Empty lines and lines that begin with `#` are skipped. If a value is in quotes, the quotes are removed.
    ///
    /// - Parameter text: The content of the file.
    /// - Returns: The names and values, in order.
    /// - Throws: ``EnvironmentFileError`` with a sentence for each malformed line. The sentence contains the line number.
    public static func parse(_ text: String) throws(EnvironmentFileError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var problems: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let pair = line.hasPrefix("export ") ? trimmed(line.dropFirst(7)) : line
            guard let sign = pair.unicodeScalars.firstIndex(of: "=") else {
                problems.append("line \(index + 1) is not NAME=value.")
                continue
            }
            let name = trimmed(pair[..<sign])
            guard isName(name) else {
                problems.append("line \(index + 1) is not NAME=value.")
                continue
            }
            guard let value = value(trimmed(pair[pair.unicodeScalars.index(after: sign)...])) else {
                problems.append("line \(index + 1) has an opening quotation mark without a closing one.")
                continue
            }
            pairs.append((String(name), value))
        }
        // A file of a different kind has an error in every line; the first errors are enough.
        guard problems.isEmpty else {
            let rest = problems.count > 3 ? ["\(problems.count - 3) more lines are invalid."] : []
            throw EnvironmentFileError(problems: problems.prefix(3) + rest)
        }
        return pairs
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" || character == "\r" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    /// Returns whether a text can be a name, as in shells: letters, digits and underscores, but no digit first.
    ///
    /// A dot is allowed as well. It groups the settings of Firebase.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { unit in
            switch unit {
            case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a, UInt8(ascii: "."): true
            default: false
            }
        }
    }

    private static func value(_ text: Substring) -> String? {
        guard let quote = text.first, quote == "\"" || quote == "'" else { return String(text) }
        let rest = text.dropFirst()
        guard let end = rest.lastIndex(of: quote) else { return nil }
        // A comment may follow.
        let after = trimmed(rest[rest.unicodeScalars.index(after: end)...])
        return after.isEmpty || after.hasPrefix("#") ? String(rest[..<end]) : nil
    }
}

/// The malformed lines in a file of settings.
public struct EnvironmentFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for each malformed line.
    public let problems: [String]

    /// Creates an error.
    ///
    /// - Parameter problems: A sentence for each malformed line.
    public init(problems: [String]) { self.problems = problems }

    /// All sentences, joined into one string.
    public var description: String { problems.joined(separator: " ") }
}
