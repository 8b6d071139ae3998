extension JSON {
    /// How a value is written.
    public struct Style: Sendable {
        /// Writes `<`, `>`, `&`, U+2028 and U+2029 as `\u…`, as Go's encoder does.
        public var escapesHTML: Bool
        /// Two spaces a level, one member a line; otherwise no white space at all.
        public var isIndented: Bool

        /// A style of its own.
        public init(escapesHTML: Bool = false, isIndented: Bool = false) {
            self.escapesHTML = escapesHTML
            self.isIndented = isIndented
        }

        /// No white space, only what must be escaped is.
        public static let compact = Style()
        /// For people.
        public static let indented = Style(isIndented: true)
    }

    /// The value as JSON text.
    public func text(_ style: Style = .compact) -> String {
        String(decoding: bytes(style), as: UTF8.self)
    }

    /// The value as JSON text in UTF-8.
    public func bytes(_ style: Style = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return writer.output
    }
}

private struct JSONWriter {
    let style: JSON.Style
    var output: [UInt8] = []
    var depth = 0

    mutating func write(_ value: JSON) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .int(let value): put(String(value))
        case .double(let value): put(value.isFinite ? Self.number(value) : "null")
        case .string(let text): write(text)
        case .array(let elements):
            list(elements, open: "[", close: "]") { $0.write($1) }
        case .object(let object):
            list(object, open: "{", close: "}") { writer, member in
                writer.write(member.name)
                writer.put(writer.style.isIndented ? ": " : ":")
                writer.write(member.value)
            }
        }
    }

    private mutating func list<C: Collection>(
        _ elements: C, open: StaticString, close: StaticString, each: (inout JSONWriter, C.Element) -> Void
    ) {
        put("\(open)")
        guard !elements.isEmpty else { return put("\(close)") }
        depth += 1
        var isFirst = true
        for element in elements {
            if !isFirst { put(",") }
            isFirst = false
            breakLine()
            each(&self, element)
        }
        depth -= 1
        breakLine()
        put("\(close)")
    }

    private mutating func breakLine() {
        guard style.isIndented else { return }
        put("\n" + String(repeating: "  ", count: depth))
    }

    private mutating func write(_ text: String) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { write(scalar) }
        output.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": put("\\\"")
        case "\\": put("\\\\")
        case "\n": put("\\n")
        case "\r": put("\\r")
        case "\t": put("\\t")
        case "<", ">", "&", "\u{2028}", "\u{2029}":
            style.escapesHTML ? escape(scalar) : output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        case _ where scalar.value < 0x20: escape(scalar)
        default:
            if scalar.isASCII {
                output.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            }
        }
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }

    private mutating func put(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    /// Whole numbers without a fraction, as every other JSON writer prints them.
    private static func number(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
