/// The part of ASN.1's distinguished encoding (X.690) that keys and signatures need.
enum DER {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    /// Returns a value with its tag and length.
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        let length = trimmed((0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(sequence, parts.flatMap(\.self)) }

    /// Returns a number that is not negative, from its big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = trimmed(magnitude)
        return value(integer, digits.first.map { $0 >= 0x80 } ?? true ? [0] + digits : digits)
    }

    /// Returns a bit string that consists of whole bytes.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { value(bitString, [0] + bytes) }

    /// Returns big-endian bytes without leading zeros.
    static func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.drop { $0 == 0 }) }

    /// Returns big-endian bytes with leading zeros added; `nil` if the number needs more than `count` bytes.
    static func padded(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
        let digits = trimmed(bytes)
        return digits.count > count ? nil : [UInt8](repeating: 0, count: count - digits.count) + digits
    }
}
