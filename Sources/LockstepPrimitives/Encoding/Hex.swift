/// Hexadecimal encoding with lower-case digits.
///
/// ```swift
/// print(Hex.encode([0xCA, 0xFE]))              // cafe
/// print(Hex.decode("CAFE") ?? [])              // [202, 254]
/// ```
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)
    static let upperDigits = Array("0123456789ABCDEF".utf8)

    /// Encodes each byte as two lower-case digits.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The digits.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        encode(Array(bytes))
    }

    /// Encodes each byte of an array as two lower-case digits.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The digits.
    public static func encode(_ bytes: [UInt8]) -> String {
        let digits = digits
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0f)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes hexadecimal digits in either case.
    ///
    /// - Parameter text: The digits.
    /// - Returns: The bytes; `nil` if the text is not an even number of digits.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for unit in text.utf8 {
            guard let digit = value(of: unit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// Returns the value of one hexadecimal digit.
    ///
    /// - Parameter unit: The ASCII code of the digit.
    /// - Returns: The value, from 0 to 15; `nil` if the character is not a hexadecimal digit.
    static func value(of unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
