internal import LockstepCrypto
public import LockstepPrimitives

/// Codes of an authenticator app (RFC 6238): SHA-1, six digits, thirty seconds, the kind that all three providers have.
public struct TOTP: Sendable {
    /// How many digits a code has.
    public static let digits = 6
    /// How many seconds a code is shown.
    public static let period: Int64 = 30

    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

    private let key: [UInt8]?

    /// The codes of a secret.
    ///
    /// - Parameter secret: in base 32, of any case, with its filling or without.
    public init(secret: String) { key = Self.decoded(secret) }

    /// A new secret: 160 random bits in base 32.
    public static func newSecret(_ randomness: any Randomness) -> String { randomness.text(32, of: alphabet) }

    /// Whether the secret can be read; one that cannot has no codes.
    public var isReadable: Bool { key != nil }

    /// Whether `code` is the code of now.
    ///
    /// - Parameter steps: how many steps before and after now are taken as well, for a clock that is off.
    public func accepts(_ code: String, at now: Instant, within steps: Int64 = 1) -> Bool {
        let current = now.seconds / Self.period
        return (current - steps...current + steps).contains { step in
            guard let expected = self.code(atStep: step) else { return false }
            return Secret(expected) == Secret(code)
        }
    }

    /// The code of a time; `nil` if the secret cannot be read.
    public func code(at time: Instant) -> String? { code(atStep: time.seconds / Self.period) }

    private func code(atStep step: Int64) -> String? {
        guard let key, step >= 0 else { return nil }
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> Int64(56 - 8 * $0)) }
        let mac = HashFunction.sha1.authenticate(counter, key: key)
        let start = Int(mac[mac.count - 1] & 15)
        let number = mac[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let code = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - code.count) + code
    }

    private static func decoded(_ secret: String) -> [UInt8]? {
        let alphabet = Array(alphabet.utf8)
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for unit in secret.uppercased().utf8 where unit != UInt8(ascii: "=") {
            guard let digit = alphabet.firstIndex(of: unit) else { return nil }
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
