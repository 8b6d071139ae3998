/// Reads values one after the other.
///
/// It returns `nil` for everything that is not exactly as expected.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the content of the next value, which must have the tag.
    mutating func value(_ tag: UInt8) -> [UInt8]? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            let digits = Int(first & 0x7f)
            guard (1...4).contains(digits), rest.count >= digits else { return nil }
            count = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
            guard count >= 0x80 else { return nil }
        }
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns a reader for the next value, which must be a sequence.
    mutating func sequence() -> DERReader? {
        value(DER.sequence).map(DERReader.init)
    }

    /// Returns the next value, a number that is not negative, as big-endian bytes without leading zeros.
    mutating func integer() -> [UInt8]? {
        guard let digits = value(DER.integer), let first = digits.first, first < 0x80 else { return nil }
        return DER.trimmed(digits)
    }

    /// Returns the next value, a bit string of whole bytes.
    mutating func bits() -> [UInt8]? {
        guard let content = value(DER.bitString), content.first == 0 else { return nil }
        return Array(content.dropFirst())
    }
}
