public import LockstepContracts
internal import LockstepCrypto
public import LockstepEmulation
public import LockstepPrimitives

/// An authenticator app (RFC 6238).
///
/// This app does not share code with the emulators.
///
/// ```swift
/// let app = AuthenticatorApp(secret: secret)
/// print(app.code(at: now))
/// ```
public struct AuthenticatorApp: Sendable {
    private let secret: String

    /// Creates an app with a secret.
    ///
    /// - Parameter secret: The secret in base 32.
    public init(secret: String) { self.secret = secret }

    /// Returns the six-digit code that the app shows.
    ///
    /// - Parameter now: The current time.
    public func code(at now: Instant) -> String {
        let bits = secret.utf8.flatMap { unit -> [Int] in
            let value = unit >= 65 ? Int(unit) - 65 : Int(unit) - 24
            return (0..<5).map { value >> (4 - $0) & 1 }
        }
        let key = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            UInt8(bits[start..<(start + 8)].reduce(0) { $0 * 2 + $1 })
        }
        let step = now.seconds / 30
        let counter = stride(from: Int64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: step >> $0) }
        let mac = HashFunction.sha1.authenticate(counter, key: key)
        let start = Int(mac[19] & 15)
        let number = mac[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// Authenticator apps that use the clock of an emulator.
public struct EmulatorAuthenticators: AuthenticatorApps {
    private let panel: ControlPanel

    /// Creates apps that use the clock of an emulator.
    public init(_ panel: ControlPanel) { self.panel = panel }

    /// Returns the code that an app shows at the emulator's time.
    ///
    /// - Parameter key: The secret of the app, in base 32.
    /// - Throws: Nothing.
    public func code(for key: Secret) async throws -> Secret {
        Secret(AuthenticatorApp(secret: key.reveal()).code(at: panel.clock.now))
    }
}
