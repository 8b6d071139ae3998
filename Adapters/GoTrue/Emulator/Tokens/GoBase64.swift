internal import LockstepPrimitives

/// Base 64 as Go's decoder reads it, with its error texts.
enum GoBase64 {
    struct Corrupt: Error {
        var message: String
    }

    static func decode(_ text: some StringProtocol) throws(Corrupt) -> [UInt8] {
        let units = Array(text.utf8)
        if let bytes = Base64.decode(text, .url), units.last != UInt8(ascii: "=") { return bytes }
        let wrong = units.firstIndex { unit in
            !(unit >= 0x30 && unit <= 0x39 || unit >= 0x41 && unit <= 0x5a || unit >= 0x61 && unit <= 0x7a || unit == 0x2d
                || unit == 0x5f)
        }
        if let wrong { throw Corrupt(message: "illegal base64 data at input byte \(wrong)") }
        if units.count % 4 == 1 { throw Corrupt(message: "illegal base64 data at input byte \(units.count - 1)") }
        // Go ignores bits that are left over at the end.
        var patched = units
        let masks: [UInt8: String] = [2: "AQgw", 3: "AEIMQUYcgkosw048"]
        guard let last = patched.last, masks[UInt8(units.count % 4)] != nil, let value = Self.value(last) else { return [] }
        patched[patched.count - 1] = Self.unit(value & (units.count % 4 == 2 ? 0x30 : 0x3c))
        return Base64.decode(String(decoding: patched, as: UTF8.self), .url) ?? []
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(_ unit: UInt8) -> UInt8? { alphabet.firstIndex(of: unit).map { UInt8($0) } }

    private static func unit(_ value: UInt8) -> UInt8 { alphabet[Int(value)] }
}
