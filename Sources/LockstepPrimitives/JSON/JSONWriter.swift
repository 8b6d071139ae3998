/// Writes JSON values into one array of bytes.
struct JSONWriter {
    let style: JSON.Style
    private(set) var output: [UInt8] = []
    private var depth = 0

    init(style: JSON.Style) {
        self.style = style
        output.reserveCapacity(256)
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .int(let value): put(value)
        case .double(let value): put(value)
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ elements: [JSON]) {
        put(UInt8(ascii: "["))
        depth += 1
        for index in elements.indices {
            separate(isFirst: index == elements.startIndex)
            write(elements[index])
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        put(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject) {
        put(UInt8(ascii: "{"))
        depth += 1
        for index in object.indices {
            separate(isFirst: index == object.startIndex)
            let (name, value) = object[index]
            write(name)
            put(UInt8(ascii: ":"))
            if style.isIndented { put(UInt8(ascii: " ")) }
            write(value)
        }
        depth -= 1
        if !object.isEmpty { breakLine() }
        put(UInt8(ascii: "}"))
    }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { put(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func breakLine() {
        guard style.isIndented else { return }
        put(UInt8(ascii: "\n"))
        for _ in 0..<depth { put("  ") }
    }

    private mutating func put(_ byte: UInt8) { output.append(byte) }

    private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func put(_ value: Int64) {
        if value < 0 { put(UInt8(ascii: "-")) }
        let start = output.endIndex
        var rest = value.magnitude
        repeat {
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        output[start...].reverse()
    }

    /// Writes the shortest digits that read back as the same number.
    ///
    /// Whole numbers have no fraction, as in other writers.
    private mutating func put(_ value: Double) {
        guard value.isFinite else { return put("null") }
        put("\(value)")
        if output.suffix(2).elementsEqual(".0".utf8) { output.removeLast(2) }
    }
}

extension JSONWriter {
    /// Writes a string.
    ///
    /// Most strings need no escape: they are scanned once and copied once.
    private mutating func write(_ text: String) {
        put(UInt8(ascii: "\""))
        if text.utf8.contains(where: mayNeedEscape) { escape(text) } else { put(text) }
        put(UInt8(ascii: "\""))
    }

    private func mayNeedEscape(_ unit: UInt8) -> Bool {
        if unit < 0x20 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\") { return true }
        if style.escapesInvisible, unit >= 0x7f { return true }
        guard style.escapesHTML else { return false }
        // 0xe2 begins U+2028 and U+2029, among others.
        return unit == UInt8(ascii: "<") || unit == UInt8(ascii: ">") || unit == UInt8(ascii: "&") || unit == 0xe2
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": put("\\\"")
            case "\\": put("\\\\")
            case "\n": put("\\n")
            case "\r": put("\\r")
            case "\t": put("\\t")
            case "\u{08}": put("\\b")
            case "\u{0c}": put("\\f")
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                if style.escapesHTML || style.escapesInvisible && scalar.isInvisible { putCode(of: scalar) } else { put(scalar) }
            case _ where scalar.value < 0x20: putCode(of: scalar)
            case _ where style.escapesInvisible && scalar.isInvisible: putCode(of: scalar)
            default: put(scalar)
            }
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            put(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            put(String(scalar))
        }
    }

    private mutating func putCode(of scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
            put("\\u")
            put(Hex.encode([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]))
        }
    }
}
