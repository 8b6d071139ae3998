/// An answer now, or the work that leads to one.
public enum Reply: Sendable {
    /// Sent from the server's own thread, without a hop.
    case now(EmulatorResponse)
    /// The connection waits while the work is done on the emulator's own thread; what blocks that for long (a password hash) goes
    /// to ``EmulationEnvironment/workers``.
    case later(@Sendable () async throws -> EmulatorResponse)
}

/// Answers the requests of one route; called on the server's thread, so it must not wait for anything.
public typealias RouteHandler = @Sendable (EmulatorRequest) throws -> Reply
