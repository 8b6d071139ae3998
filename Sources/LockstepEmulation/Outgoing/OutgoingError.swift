/// Why there is no answer.
public enum OutgoingError: Error, Sendable, Hashable {
    /// The address is no plain `http://` one of this machine: emulators connect to no other.
    case notLocal
    /// No server listens there, or the connection broke.
    case unreachable
    /// No whole answer came in time.
    case timedOut
    /// The answer is no HTTP, or more than a megabyte.
    case malformed
}
