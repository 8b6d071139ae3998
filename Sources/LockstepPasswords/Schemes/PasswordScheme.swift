/// One kind of password hash, with the values of one hash.
protocol PasswordScheme: Sendable {
    /// Returns whether `password` has this hash. The call blocks until the hash is computed.
    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool

    /// The cost of a check.
    var effort: PasswordEffort { get }

    /// The hash as text, which ``PasswordHash/init(_:)`` can read again.
    var text: String { get }
}

/// The rough cost of a password check.
struct PasswordEffort {
    /// The memory in bytes.
    var memory = 0.0
    /// The time in microseconds, on one core of a machine from 2020.
    var microseconds: Double

    func isWithin(_ limits: PasswordLimits) -> Bool {
        let time = limits.time.components
        return memory <= Double(limits.memory) && microseconds <= Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
    }
}

/// The order of salt and password in the digested text.
enum SaltOrder: String, Sendable {
    /// Salt, then password.
    case saltFirst = "sp"
    /// Password, then salt.
    case passwordFirst = "ps"

    func join(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        switch self {
        case .saltFirst: salt + password
        case .passwordFirst: password + salt
        }
    }
}
