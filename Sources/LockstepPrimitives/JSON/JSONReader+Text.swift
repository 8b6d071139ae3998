extension JSONReader {
    /// Reads a string after its opening quote.
    mutating func text() throws(JSONError) -> String {
        let start = offset
        var seen: UInt8 = 0
        while true {
            switch try byte(.textCharacter) {
            case UInt8(ascii: "\""):
                let slice = bytes[start..<offset]
                // Nearly all texts are ASCII, so they need no UTF-8 check.
                let text = seen < 0x80 ? String(decoding: slice, as: UTF8.self) : try unicode(slice, at: start)
                offset += 1
                return text
            case UInt8(ascii: "\\"): return try escapedText(from: start)
            case let byte where byte < 0x20: throw JSONError(.unexpected(byte, .textCharacter), at: offset)
            case let byte:
                seen |= byte
                offset += 1
            }
        }
    }

    /// Reads a string that has an escape at the current place.
    private mutating func escapedText(from start: Int) throws(JSONError) -> String {
        var result = ""
        var start = start
        while true {
            switch try byte(.textCharacter) {
            case UInt8(ascii: "\""):
                result += try unicode(bytes[start..<offset], at: start)
                offset += 1
                return result
            case UInt8(ascii: "\\"):
                result += try unicode(bytes[start..<offset], at: start)
                offset += 1
                result.unicodeScalars.append(try escape())
                start = offset
            case let byte where byte < 0x20: throw JSONError(.unexpected(byte, .textCharacter), at: offset)
            default: offset += 1
            }
        }
    }

    private func unicode(_ slice: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
        if let text = String(validating: slice, as: UTF8.self) { return text }
        switch rules.brokenText {
        case .replaced: return String(decoding: slice, as: UTF8.self)
        case .refused: throw JSONError(.invalidUTF8, at: start + Self.validPrefix(of: slice))
        }
    }

    /// Returns the number of bytes before the first byte that is not UTF-8.
    private static func validPrefix(of slice: ArraySlice<UInt8>) -> Int {
        var decoder = UTF8()
        var rest = slice.makeIterator()
        var length = 0
        while case .scalarValue(let scalar) = decoder.decode(&rest) { length += UTF8.width(scalar) }
        return length
    }

    /// Reads an escape after its backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let code = try byte(.escapeCode)
        let scalar: Unicode.Scalar
        switch code {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(code)
        case UInt8(ascii: "b"): scalar = "\u{08}"
        case UInt8(ascii: "f"): scalar = "\u{0c}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"):
            offset += 1
            return try escapedScalar()
        default: throw JSONError(.unexpected(code, .escapeCode), at: offset)
        }
        offset += 1
        return scalar
    }

    /// Reads the rest of a `\u` escape: four digits, or eight with another `\u` between for a surrogate pair.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = offset - 2
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if UTF16.isLeadSurrogate(first), bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            let afterFirst = offset
            offset += 2
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([first, second])) }
            offset = afterFirst
        }
        switch rules.brokenText {
        case .replaced: return "\u{fffd}"
        case .refused: throw JSONError(.loneSurrogate, at: start)
        }
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try byte(.escapeDigit)
            guard let digit = Hex.value(of: byte) else { throw JSONError(.unexpected(byte, .escapeDigit), at: offset) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
