internal import LockstepCrypto
public import LockstepPrimitives

/// The codes of an authenticator app (RFC 6238), with SHA-1, six digits and thirty seconds.
///
/// All three providers use codes with these settings.
///
/// ```swift
/// let secret = TOTP.newSecret(SystemRandomness())
/// let code = TOTP(secret: secret).code(at: now)
/// print(code ?? "")
/// ```
public struct TOTP: Sendable {
    /// The number of digits in a code.
    public static let digits = 6
    /// The number of seconds for which an app shows a code.
    public static let period: Int64 = 30

    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

    private let key: [UInt8]?

    /// Creates the codes for a secret.
    ///
    /// - Parameter secret: The secret in base 32, in upper or lower case, with or without padding.
    public init(secret: String) { key = Self.decoded(secret) }

    /// Returns a new secret: 160 random bits in base 32.
    ///
    /// - Parameter randomness: The source of the random bits.
    public static func newSecret(_ randomness: any Randomness) -> String { randomness.text(32, of: alphabet) }

    /// Whether the secret is valid.
    ///
    /// An invalid secret has no codes.
    public var isReadable: Bool { key != nil }

    /// Returns whether a code is valid at the current time.
    ///
    /// - Parameters:
    ///   - code: The code that the user typed.
    ///   - steps: The number of time steps by which the user's clock may be wrong. Codes of these steps are also accepted.
    public func accepts(_ code: String, at now: Instant, within steps: Int64 = 1) -> Bool {
        let current = now.seconds / Self.period
        return (current - steps...current + steps).contains { step in
            guard let expected = self.code(atStep: step) else { return false }
            return Secret(expected) == Secret(code)
        }
    }

    /// Returns the code that the app shows at a time.
    ///
    /// - Returns: The code; `nil` if the secret is invalid.
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
