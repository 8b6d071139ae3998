public import LockstepPrimitives

/// A ticket that the team's own server has made for one sign-in.
public struct TicketCredential: Credential {
    /// The ticket.
    public var token: Secret

    /// A ticket.
    public init(token: Secret) { self.token = token }

    /// The capability `ticket`.
    public static var capability: Capability { .ticket }

    /// The same, refused where it is empty.
    public func normalized() throws(AuthError) -> TicketCredential {
        guard !token.isEmpty else { throw AuthError(.invalidInput, "The ticket is empty.") }
        return self
    }
}

extension Credential where Self == TicketCredential {
    /// A ticket that the team's own server has made.
    public static func ticket(_ token: Secret) -> TicketCredential { TicketCredential(token: token) }
}
