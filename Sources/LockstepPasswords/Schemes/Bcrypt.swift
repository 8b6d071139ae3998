internal import LockstepPrimitives

/// bcrypt for bytes with any value, including passwords with a NUL.
///
/// Go's library and others accept such passwords, but crypt(3) ends a password at the NUL. This code is slower than
/// libcrypt, which hashes all other passwords. Source: Provos and Mazières, "A Future-Adaptable Password Scheme", 1999.
enum Bcrypt {
    private static let signs = Array("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let usualSigns = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let text = Array("OrpheanBeholderScryDoubt".utf8)
    /// The length of `$2a$10$` in bytes.
    private static let prefixLength = 7
    private static let saltLength = 22

    /// Hashes a password.
    ///
    /// - Parameters:
    ///   - password: The bytes. bcrypt uses the first 72 of them, including the NUL after the password.
    ///   - setting: A setting of crypt(3), or a hash that begins with the setting.
    /// - Returns: The hash as text; `nil` if the setting is not for bcrypt, or is the variant `$2x$`, which repeats an
    ///   old defect.
    static func hash(_ password: [UInt8], setting: String) -> String? {
        let units = Array(setting.utf8)
        guard units.count >= prefixLength + saltLength, units[0] == UInt8(ascii: "$"), units[1] == UInt8(ascii: "2"),
            "aby".utf8.contains(units[2]), let cost = Int(String(decoding: units[4..<6], as: UTF8.self)), (4...31).contains(cost),
            let salt = decode(units[prefixLength..<(prefixLength + saltLength)])
        else { return nil }
        let key = password.prefix(72) + [0]
        var cipher = Blowfish()
        cipher.expand(key: Array(key), salt: salt)
        for _ in 0..<(1 << cost) {
            cipher.expand(key: Array(key))
            cipher.expand(key: salt)
        }
        var output: [UInt8] = []
        for index in stride(from: 0, to: text.count, by: 8) {
            var left = word(text[index..<(index + 4)])
            var right = word(text[(index + 4)..<(index + 8)])
            for _ in 0..<64 { cipher.encrypt(&left, &right) }
            for word in [left, right] { output += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        }
        return String(decoding: units[..<(prefixLength + saltLength)], as: UTF8.self) + encode(output.dropLast())
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Encodes bytes in base64 with bcrypt's order of characters.
    private static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        let units = Base64.encode(bytes, .url).utf8.map { unit in signs[usualSigns.firstIndex(of: unit) ?? 0] }
        return String(decoding: units, as: UTF8.self)
    }

    private static func decode(_ units: ArraySlice<UInt8>) -> [UInt8]? {
        let places = units.map { signs.firstIndex(of: $0) }
        guard places.allSatisfy({ $0 != nil }) else { return nil }
        // The last character of a salt has four unused bits. Some base64 readers require zeros there.
        var usual = places.map { $0 ?? 0 }
        if let last = usual.last { usual[usual.count - 1] = last & 0x30 }
        return Base64.decode(String(decoding: usual.map { usualSigns[$0] }, as: UTF8.self), .url)
    }
}
