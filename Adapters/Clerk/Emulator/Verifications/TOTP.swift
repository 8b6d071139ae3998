internal import LockstepCrypto
import LockstepPrimitives

/// Codes of authenticator apps (RFC 6238): SHA-1, 30 seconds, six digits, the only kind Clerk has.
struct TOTP {
    /// The shared secret in base 32.
    let secret: String

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// 20 random bytes in base 32.
    static func newSecret(_ randomness: any Randomness) -> String {
        randomness.text(32, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    }

    /// Whether the secret can be read.
    var isReadable: Bool { key != nil }

    /// Whether `code` is the code of now, or of one step before or after.
    func accepts(_ code: String, at now: Instant) -> Bool {
        let step = now.seconds / 30
        return [step - 1, step, step + 1].contains { step in
            guard let expected = self.code(atStep: step) else { return false }
            return Secret(expected) == Secret(code)
        }
    }

    /// The code of a step of 30 seconds; `nil` where the secret cannot be read.
    func code(atStep step: Int64) -> String? {
        guard let key else { return nil }
        var counter: [UInt8] = []
        for shift in stride(from: 56, through: 0, by: -8) { counter.append(UInt8(truncatingIfNeeded: step >> Int64(shift))) }
        let digest = HashFunction.sha1.authenticate(counter, key: key)
        let offset = Int(digest[19] & 0x0f)
        let number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private var key: [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for unit in secret.uppercased().utf8 where unit != UInt8(ascii: "=") {
            guard let digit = Self.alphabet.firstIndex(of: unit) else { return nil }
            buffer = buffer << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes.isEmpty ? nil : bytes
    }
}
