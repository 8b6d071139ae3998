extension JSONReader {
    /// Reads a number.
    ///
    /// The current byte is a digit or a minus sign.
    mutating func number() throws(JSONError) -> JSON {
        let start = offset
        let isNegative = bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let whole = try wholePart(isNegative: isNegative)
        let endOfWhole = offset
        if peek == UInt8(ascii: ".") {
            offset += 1
            try digits(.fractionDigit)
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(.exponentDigit)
        }
        if let whole, offset == endOfWhole { return .int(whole) }
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), value.isFinite else {
            throw JSONError(.numberTooLarge, at: start)
        }
        return .double(value)
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Reads the digits before the point and exponent; `nil` if the number does not fit.
    private mutating func wholePart(isNegative: Bool) throws(JSONError) -> Int64? {
        guard try byte(.digit) != UInt8(ascii: "0") else {
            offset += 1
            return 0
        }
        let start = offset
        try digits(.digit)
        var value: Int64 = 0
        for digit in bytes[start..<offset] {
            let (product, tooMuch) = value.multipliedReportingOverflow(by: 10)
            let step = Int64(digit - UInt8(ascii: "0"))
            let (sum, stillTooMuch) =
                isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
            if tooMuch || stillTooMuch { return nil }
            value = sum
        }
        return value
    }

    /// Skips one or more digits.
    private mutating func digits(_ expectation: JSONExpectation) throws(JSONError) {
        let first = try byte(expectation)
        guard Self.isDigit(first) else { throw JSONError(.unexpected(first, expectation), at: offset) }
        repeat { offset += 1 } while offset < bytes.count && Self.isDigit(bytes[offset])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
