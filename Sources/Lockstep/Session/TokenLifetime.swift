public import LockstepPrimitives

/// How long a token lives, measured so that a wrong device clock does no harm.
///
/// While the machine runs, elapsed time is read from a clock that never jumps. A restart takes an unknown time, so the token counts as
/// expired after one: an extra refresh does no harm, a dead token does. What another machine has measured is read by this one's wall
/// clock from the server's date, so that a wrong clock there does no harm here.
///
/// A life is from zero to ``longest``, even where a server or a store says more: a session that claims more is refreshed sooner.
public struct TokenLifetime: Sendable, Hashable, Codable {
    /// The life that the server gave, from the moment of its answer, within its bounds.
    public let life: Duration
    /// The server's date at that moment, where it sent one.
    public let serverDate: Instant?
    /// This device's wall clock at that moment.
    public let receivedAt: Instant
    /// The time since start at that moment.
    public let uptime: Duration
    /// The start that ``uptime`` counts from.
    public let bootID: String
    /// The machine, where it can be identified.
    public let hostID: String?

    /// A life that begins now.
    public init(life: Duration, serverDate: Instant? = nil, clock: some DeviceClock) {
        self.life = life.clamped(to: .zero...Self.longest)
        self.serverDate = serverDate
        receivedAt = clock.now
        uptime = clock.uptime
        bootID = clock.bootID
        hostID = clock.hostID
    }

    /// The longest life that is accepted: thirty days.
    ///
    /// No provider's tokens live longer in its default configuration, and a token without an end would never be refreshed.
    public static let longest: Duration = .seconds(30 * 24 * 3600)

    /// Reads what a store holds; impossible values are brought within their bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        life = try container.decode(Duration.self, forKey: .life).clamped(to: .zero...Self.longest)
        serverDate = try container.decodeIfPresent(Instant.self, forKey: .serverDate)
        receivedAt = try container.decode(Instant.self, forKey: .receivedAt)
        uptime = try container.decode(Duration.self, forKey: .uptime).clamped(to: .zero...Self.longestUptime)
        bootID = try container.decode(String.self, forKey: .bootID)
        hostID = try container.decodeIfPresent(String.self, forKey: .hostID)
    }

    /// A hundred years.
    private static let longestUptime: Duration = .seconds(36_525 * 24 * 3600)

    /// When the token ends, by this device's clock as it was when the token came.
    public var expiresAt: Instant { receivedAt + life }

    /// The remaining life; zero or less when it has ended.
    public func remaining(on clock: some DeviceClock) -> Duration {
        if clock.bootID == bootID { return life - max(clock.uptime - uptime, .zero) }
        if let host = clock.hostID, host == hostID { return .zero }
        let passed = clock.now - (serverDate ?? receivedAt)
        return passed < .zero - Self.tolerance ? .zero : life - max(passed, .zero)
    }

    /// Maximum tolerated clock skew of another machine; beyond it, its measurements are ignored.
    private static let tolerance = Duration.seconds(60)

    /// How long before its end a token is renewed: a sixth of its life, a minute at most.
    public var margin: Duration { min(life / 6, .seconds(60)) }

    /// Whether the token should be renewed before it is used.
    public func needsRefresh(on clock: some DeviceClock) -> Bool { remaining(on: clock) <= margin }
}
