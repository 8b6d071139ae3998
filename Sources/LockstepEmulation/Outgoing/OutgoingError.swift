/// Why nothing came back.
public enum OutgoingError: Error, Sendable, Hashable {
    /// The address is no plain `http://` one of this machine: emulators speak to nobody else.
    case notLocal
    /// Nobody listens there, or the connection broke.
    case unreachable
    /// No whole answer came in time.
    case timedOut
    /// What came is no HTTP, or more than a megabyte.
    case malformed
}
