/// Where a text shows something that it must not show, for an author who has to find the place.
struct SecretLeak {
    /// The first line of the exchange that shows it; `nil` if the text is not made of exchanges.
    let exchange: String?
    /// The name before it: a member, a parameter, a header; `nil` if it stands in the middle of a sentence.
    let field: String?

    /// Where `secret` stands in `text`; `nil` if it does not.
    init?(of secret: String, in text: String) {
        guard !secret.isEmpty, let place = text.firstRange(of: secret) else { return nil }
        let before = text[..<place.lowerBound]
        let start = before.ranges(of: "\n\n").last?.upperBound ?? text.startIndex
        let head = text[start...].prefix { !$0.isNewline }
        let words = head.split(separator: " ")
        let isExchange = words.count >= 2 && words[0].allSatisfy(\.isUppercase) && !words[0].isEmpty
        exchange = isExchange ? words.prefix(2).joined(separator: " ").replacing(secret, with: "…") : nil
        field = Self.name(at: text[start..<place.lowerBound])
    }

    /// The name that a text ends with: `"name": "`, `name=`, `Name: Bearer `.
    private static func name(at text: Substring) -> String? {
        let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).last ?? ""
        guard let mark = line.lastIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
        let between = line[line.index(after: mark)...].filter { $0 != "\"" && $0 != " " && $0 != "[" && $0 != "\\" }
        guard between.isEmpty || between.lowercased() == "bearer" else { return nil }
        let name = line[..<mark].reversed().drop { $0 == "\"" || $0 == " " || $0 == "\\" }.prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
        }
        return name.isEmpty ? nil : String(name.reversed())
    }

    /// "POST https://…/token, in `access`", as far as it is known.
    var words: String {
        let parts = [exchange.map { "in the exchange \($0)" }, field.map { "in the field `\($0)`" }].compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

/// Each form in which a value shows itself: to a dump, to people and to developers.
func visibleForms(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, String(describing: value), String(reflecting: value)]
}
