internal import LockstepCrypto
internal import LockstepPrimitives

/// Codes of an authenticator app (RFC 6238): SHA-1, six digits, thirty seconds.
struct TOTP {
    /// In base 32, without filling.
    let secret: String

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func newSecret(_ randomness: any Randomness) -> String {
        String(decoding: randomness.bytes(32).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// Whether a code is that of now, or of the step before or after.
    func accepts(_ code: String, at now: Instant) -> Bool {
        let step = now.seconds / 30
        return (-1...1).contains { offset in
            guard let expected = self.code(step: step + Int64(offset)) else { return false }
            return ConstantTime.areEqual(code, expected)
        }
    }

    private func code(step: Int64) -> String? {
        guard let key, step >= 0 else { return nil }
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> Int64(56 - 8 * $0)) }
        let mac = HashFunction.sha1.authenticate(counter, key: key)
        let start = Int(mac[mac.count - 1] & 15)
        let number = mac[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private var key: [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for unit in secret.utf8 {
            guard let digit = Self.alphabet.firstIndex(of: unit) else { return nil }
            buffer = buffer << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }

    /// What an app is told about the key.
    static func address(secret: String, issuer: String, account: String) -> String {
        "otpauth://totp/\(pathEscaped(issuer)):\(pathEscaped(account))?algorithm=SHA1&digits=6&issuer=\(queryEscaped(issuer))&period=30&secret=\(secret)"
    }

    /// As Go's `url.URL` writes a path: `&`, `+`, `:`, `@` and the like stay.
    private static func pathEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*") }

    private static func queryEscaped(_ text: String) -> String { escaped(text, keeping: "-._~$&+,/:;=@!'()*?") }

    private static func escaped(_ text: String, keeping kept: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || kept.unicodeScalars.contains(scalar) ? String(scalar) : Percent.encode(String(scalar))
        }.joined()
    }
}
