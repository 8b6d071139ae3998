/// How much a single check of a password may cost, against hashes that were made to exhaust the checking machine.
public struct PasswordLimits: Sendable, Hashable {
    /// The bytes of memory it may use.
    public var memory: Int
    /// The time it may take, by a rough estimate for one core of a machine of 2020.
    public var time: Duration

    /// Limits of its own.
    public init(memory: Int, time: Duration) {
        self.memory = memory
        self.time = time
    }

    /// 256 MiB and 10 seconds: bcrypt up to cost 17, Argon2 with 256 MiB, twenty million rounds of PBKDF2.
    public static let standard = PasswordLimits(memory: 1 << 28, time: .seconds(10))
}
