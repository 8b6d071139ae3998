/// The place in a text where a secret is visible.
///
/// It helps the author to find the leak.
struct SecretLeak {
    /// The first line of the exchange with the secret; `nil` if the text does not consist of exchanges.
    let exchange: String?
    /// The name before the secret: a member, a parameter or a header; `nil` if there is no name.
    let field: String?

    /// Finds `secret` in `text`.
    ///
    /// Returns `nil` if the text does not contain it.
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

    /// Returns the name at the end of a text: `"name": "`, `name=`, `Name: Bearer `.
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

    /// The known parts of the place, such as "in the exchange POST https://…/token, in the field `access`".
    var words: String {
        let parts = [exchange.map { "in the exchange \($0)" }, field.map { "in the field `\($0)`" }].compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

/// Returns each form in which a value is visible: in a dump, for people and for developers.
func visibleForms(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, String(describing: value), String(reflecting: value)]
}
