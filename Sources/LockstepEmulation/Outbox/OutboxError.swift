/// Why a message was not sent.
public enum OutboxError: Error, Sendable, Hashable {
    /// No mail server or SMS provider can be reached; see ``Outbox/isReachable``.
    case unreachable
}
