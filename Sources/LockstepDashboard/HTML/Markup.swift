internal import LockstepPrimitives

/// A piece of a page: literal HTML with escaped texts.
///
/// Only a literal is HTML. Each interpolated text is escaped with ``escape(_:upTo:keepsLines:into:)``, in content and in quoted
/// attributes.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    private(set) var html: String

    /// Joins pieces.
    init(_ pieces: [Markup] = []) { html = pieces.map(\.html).joined() }

    init(stringLiteral literal: String) { html = literal }

    init(stringInterpolation interpolation: StringInterpolation) { html = interpolation.html }

    static func + (left: Markup, right: Markup) -> Markup { Markup([left, right]) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity + 24 * interpolationCount) }

        mutating func appendLiteral(_ literal: String) { html += literal }

        /// Appends a text, escaped and shortened.
        ///
        /// - Parameters:
        ///   - limit: The maximum number of characters to show.
        ///   - lines: Whether line breaks and tabs are kept.
        mutating func appendInterpolation(_ text: some StringProtocol, upTo limit: Int = 200, lines: Bool = false) {
            Markup.escape(text, upTo: limit, keepsLines: lines, into: &html)
        }

        /// Appends a path, which a browser breaks between its parts instead of within a word.
        mutating func appendInterpolation(path: some StringProtocol, upTo limit: Int = 120) {
            var escaped = ""
            Markup.escape(path, upTo: limit, keepsLines: false, into: &escaped)
            html += escaped.replacingScalars { $0 == "/" ? "<wbr>/" : nil }
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }

        mutating func appendInterpolation(_ piece: Markup) { html += piece.html }

        mutating func appendInterpolation(_ piece: Markup?) { html += piece?.html ?? "" }

        mutating func appendInterpolation(_ pieces: [Markup]) { for piece in pieces { html += piece.html } }

        /// Appends an address of this dashboard, with encoded parts.
        mutating func appendInterpolation(_ address: PageAddress) {
            Markup.escape(address.text, upTo: .max, keepsLines: false, into: &html)
        }
    }
}

extension Markup {
    /// Appends a text to HTML.
    ///
    /// This is the only place where the dashboard does that.
    ///
    /// A character that is invisible or changes its surroundings is shown as its code point: `⟨U+202E⟩`. Text beyond the limit is
    /// left out, and its length is shown instead.
    static func escape(_ text: some StringProtocol, upTo limit: Int, keepsLines: Bool, into html: inout String) {
        if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) {
            html += text
            return
        }
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit {
                html += "… (\(text.utf8.count) bytes)"
                return
            }
            count += 1
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\n" where keepsLines, "\t" where keepsLines: html.unicodeScalars.append(scalar)
            case "\r" where keepsLines: break
            case _ where scalar.isASCII ? scalar.value < 0x20 || scalar.value == 0x7f : scalar.hidesOrReorders:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                html += "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)⟩"
            default: html.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns the text as a form field shows it, to detect whether a person has changed it.
    static func shown(_ text: String, upTo limit: Int, keepsLines: Bool) -> String {
        var html = ""
        escape(text, upTo: limit, keepsLines: keepsLines, into: &html)
        return html
    }

    private static func isPlain(_ unit: UInt8) -> Bool {
        switch unit {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20..<0x7f).contains(unit)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character can make a text look like another one.
    ///
    /// Variation selectors, which emoji contain, are allowed because they change only one character.
    fileprivate var hidesOrReorders: Bool {
        isInvisible || properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f).contains(value)
    }
}

/// The address of a page of this dashboard.
struct PageAddress: Sendable {
    let text: String

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - pieces: The parts of the path.
    ///   - query: The parameters of the query; those without a value are left out.
    init(_ pieces: String..., query: KeyValuePairs<String, String?> = [:]) {
        let pairs = query.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name: name, value: $0) } }
        text = "/" + pieces.map(Percent.encode).joined(separator: "/") + (pairs.isEmpty ? "" : "?" + Percent.encodeForm(pairs))
    }
}
