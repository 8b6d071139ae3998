internal import LockstepCrypto
internal import LockstepPrimitives

/// The portable hash of phpass, as in old WordPress, phpBB and Drupal: MD5, repeated some thousand times.
struct PHPassHash: PasswordScheme {
    private static let digits = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Whether the hash was computed from the hexadecimal MD5 digest of the password, not from the password itself.
    let isOverMD5: Bool
    private let plain: String
    private let exponent: Int

    /// Reads `$P$Bsalt….hash…` or `$H$…`.
    init(_ text: String) throws(PasswordError) {
        try self.init(text, isOverMD5: false)
    }

    /// Reads `$md5-phpass$P$B…`.
    init(overMD5 text: String) throws(PasswordError) {
        try self.init(String(text.dropFirst("$md5-phpass".count)), isOverMD5: true)
    }

    init(_ text: String, isOverMD5: Bool) throws(PasswordError) {
        guard HashFunction.md5.isAvailable else { throw PasswordError(.unavailable, "This machine's policy forbids md5.") }
        let units = Array(text.utf8)
        guard units.count == 34, text.hasPrefix("$P$") || text.hasPrefix("$H$"), units[3...].allSatisfy(Self.digits.contains),
            let exponent = Self.digits.firstIndex(of: units[3]), (7...30).contains(exponent)
        else { throw .malformed("phpass") }
        self.isOverMD5 = isOverMD5
        self.exponent = exponent
        plain = text
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        let units = Array(plain.utf8)
        let subject = isOverMD5 ? Array(Hex.encode(HashFunction.md5.digest(password)).utf8) : password
        var digest = HashFunction.md5.digest(Array(units[4..<12]) + subject)
        for _ in 0..<(1 << exponent) { digest = HashFunction.md5.digest(digest + subject) }
        return ConstantTime.areEqual(Self.encode(digest), Array(units[12...]))
    }

    var effort: PasswordEffort { PasswordEffort(microseconds: Double(1 << exponent)) }

    var text: String { isOverMD5 ? "$md5-phpass" + plain : plain }

    /// Encodes bytes with six bits per character, the lowest bits first, three bytes at a time.
    private static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let word = group.reversed().reduce(0) { $0 << 8 | Int($1) }
            for place in 0...group.count { output.append(digits[word >> (6 * place) & 0x3f]) }
        }
        return output
    }
}
