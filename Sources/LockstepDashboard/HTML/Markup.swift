internal import LockstepPrimitives

/// A piece of a page: literal HTML, into which texts are put escaped.
///
/// Only a literal is HTML. Each interpolated text goes through ``escape(_:upTo:keepsLines:into:)``, in content and in quoted attributes alike.
struct Markup: Sendable, ExpressibleByStringInterpolation {
    private(set) var html: String

    /// The pieces one behind the other.
    init(_ pieces: [Markup] = []) { html = pieces.map(\.html).joined() }

    init(stringLiteral literal: String) { html = literal }

    init(stringInterpolation interpolation: StringInterpolation) { html = interpolation.html }

    static func + (left: Markup, right: Markup) -> Markup { Markup([left, right]) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity + 24 * interpolationCount) }

        mutating func appendLiteral(_ literal: String) { html += literal }

        /// A text, escaped and shortened.
        ///
        /// - Parameters:
        ///   - limit: How many characters are shown at most.
        ///   - lines: Whether line ends and tabs stay.
        mutating func appendInterpolation(_ text: some StringProtocol, upTo limit: Int = 200, lines: Bool = false) {
            Markup.escape(text, upTo: limit, keepsLines: lines, into: &html)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }

        mutating func appendInterpolation(_ piece: Markup) { html += piece.html }

        mutating func appendInterpolation(_ piece: Markup?) { html += piece?.html ?? "" }

        mutating func appendInterpolation(_ pieces: [Markup]) { for piece in pieces { html += piece.html } }

        /// An address of this dashboard, whose pieces are encoded.
        mutating func appendInterpolation(_ address: PageAddress) {
            Markup.escape(address.text, upTo: .max, keepsLines: false, into: &html)
        }
    }
}

extension Markup {
    /// Puts a text into HTML: the one place where the dashboard does that.
    ///
    /// A character that shows no sign of its own or changes what stands around it is shown as its code point: `⟨U+202E⟩`. What exceeds the
    /// limit is left out, and the length is shown instead.
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

    /// The text as a field of a form shows it, to find out whether a person has changed it.
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
    /// Whether a text that contains it may look like another text.
    ///
    /// Selectors of variants, which emoji contain, change the look of one sign only.
    fileprivate var hidesOrReorders: Bool {
        isInvisible || properties.isDefaultIgnorableCodePoint && !(0xfe00...0xfe0f).contains(value)
    }
}

/// An address of a page of this dashboard.
struct PageAddress: Sendable {
    let text: String

    /// An address.
    ///
    /// - Parameters:
    ///   - pieces: The pieces of the path.
    ///   - query: The pairs of the query; those without a value are left out.
    init(_ pieces: String..., query: KeyValuePairs<String, String?> = [:]) {
        let pairs = query.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name: name, value: $0) } }
        text = "/" + pieces.map(Percent.encode).joined(separator: "/") + (pairs.isEmpty ? "" : "?" + Percent.encodeForm(pairs))
    }
}
