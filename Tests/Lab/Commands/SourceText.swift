/// A text for people in a source file.
struct SourceText: Hashable {
    /// The file, relative to the project's folder.
    let file: String
    /// The text, with `{name}` in place of each value.
    let text: String

    /// The texts of a file, in order: literals with more than one word that are neither code nor markup.
    static func all(in source: String, file: String) -> [SourceText] {
        var scanner = LiteralScanner(source)
        return scanner.literals().map(\.collapsed).filter(\.isForPeople).map { SourceText(file: file, text: $0) }
    }
}

extension String {
    fileprivate var collapsed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Whether a person reads the text: words, no code, no markup, no settings.
    fileprivate var isForPeople: Bool {
        let code = ["auth.", "screen.", "try await", ".contains(", "GOTRUE_MAILER", "</", "=\"", "font:"]
        return contains(/[A-Za-z}"”’.,:] +[A-Za-z{"“(]/) && contains(/[a-z]{2}/) && !contains(/^<|<(td|tr|th|p|h2)\b/)
            && !code.contains(where: contains)
    }
}

/// Finds the literals of a Swift source.
///
/// Literals that `+` joins are one.
struct LiteralScanner {
    private let source: [Character]
    private var place = 0

    init(_ source: String) { self.source = Array(source) }

    mutating func literals() -> [String] {
        var found: [(text: String, end: Int)] = []
        while place < source.count {
            if starts(with: "//") {
                while place < source.count, source[place] != "\n" { place += 1 }
            } else if source[place] == "\"" || starts(with: "#\"") {
                let start = place
                let text = literal()
                if let last = found.last, isJoined(last.end, start) {
                    found[found.count - 1] = (last.text + text, place)
                } else {
                    found.append((text, place))
                }
            } else {
                place += 1
            }
        }
        return found.map(\.text)
    }

    private func starts(with text: String) -> Bool {
        place + text.count <= source.count && String(source[place..<(place + text.count)]) == text
    }

    private func isJoined(_ end: Int, _ start: Int) -> Bool {
        source[end..<start].contains("+") && source[end..<start].allSatisfy { $0 == "+" || $0.isWhitespace }
    }

    private mutating func literal() -> String {
        let isRaw = source[place] == "#"
        let quote = starts(with: "\"\"\"") ? "\"\"\"" : isRaw ? "\"#" : "\""
        place += quote.count
        var text = ""
        while place < source.count, !starts(with: quote) {
            guard source[place] == "\\", !isRaw else {
                text.append(source[place])
                place += 1
                continue
            }
            let next = source[place + 1]
            place += 2
            switch next {
            case "(": text += "{\(name(of: interpolation()))}"
            case "\"", "\\": text.append(next)
            case "u":
                while source[place] != "}" { place += 1 }
                place += 1
            default: text += " "
            }
        }
        place += quote.count
        return text
    }

    /// The source of a value, up to its closing parenthesis.
    private mutating func interpolation() -> String {
        let start = place
        var depth = 1
        while depth > 0 {
            switch source[place] {
            case "\"":
                _ = literal()
                continue
            case "(": depth += 1
            case ")": depth -= 1
            default: break
            }
            place += 1
        }
        return String(source[start..<(place - 1)])
    }

    /// The last word of a simple value; an ellipsis for any other.
    private func name(of value: String) -> String {
        value.allSatisfy { $0.isLetter || $0.isNumber || "._$".contains($0) }
            ? String(value.split(separator: ".").last ?? "…") : "…"
    }
}
