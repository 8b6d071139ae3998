/// One kind of password hash with all that one hash of it holds.
protocol PasswordScheme: Sendable {
    /// Whether `password` gives this hash; computes as long as it takes.
    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool

    /// What that costs.
    var effort: PasswordEffort { get }

    /// The hash as text: read again by ``PasswordHash/init(_:)``.
    var text: String { get }
}

/// What checking a password costs, roughly.
struct PasswordEffort {
    /// Bytes of memory.
    var memory = 0.0
    /// Microseconds on one core of a machine of 2020.
    var microseconds: Double

    func isWithin(_ limits: PasswordLimits) -> Bool {
        let time = limits.time.components
        return memory <= Double(limits.memory) && microseconds <= Double(time.seconds) * 1e6 + Double(time.attoseconds) / 1e12
    }
}

/// Whether salt or password comes first in what is digested.
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
