internal import Synchronization

/// How many passwords an emulator has hashed or compared.
///
/// The time of an answer depends on that: where the backend hides whether an address is known, a request costs the same number
/// for a known one and for an unknown one.
public final class PasswordWork: Sendable {
    private let done = Mutex(0)

    /// No work yet.
    public init() {}

    /// Hashes and comparisons since the start.
    public var count: Int { done.withLock { $0 } }

    /// Counts one hash or comparison; an emulator calls it before each.
    public func add() { done.withLock { $0 += 1 } }
}
