internal import LockstepCrypto
internal import LockstepPrimitives

/// Codes of six digits that change with time (RFC 6238): SHA-1, 30 seconds.
enum TimeCode {
    static let digits = 6
    static let period: Int64 = 30
    /// How many periods before and after are taken: Firebase's `adjacentIntervals`, 5 unless set.
    private static let adjacent: Int64 = 5
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    /// 160 random bits in base 32.
    static func newSecret(_ randomness: any Randomness) -> String { randomness.text(32, of: String(alphabet)) }

    /// Whether `code` is that of now, or of a period close to it.
    static func isValid(_ code: String, secret: String, at now: Instant) -> Bool {
        guard let key = decode(secret) else { return false }
        let period = now.seconds / Self.period
        return (period - adjacent...period + adjacent).contains { self.code(key, $0) == code }
    }

    private static func code(_ key: [UInt8], _ counter: Int64) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let mac = HashFunction.sha1.authenticate(message, key: key)
        let offset = Int(mac[mac.count - 1] & 0x0f)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }
}
