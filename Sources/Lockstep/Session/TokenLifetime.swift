public import LockstepPrimitives

/// How long a token lives, measured so that a wrong device clock does no harm.
///
/// While the machine runs, the time that has passed is read from a clock that never jumps. Over a restart it is read from the
/// wall clock, and where that went backwards the token counts as ended: a refresh too many does no harm, a dead token does.
public struct TokenLifetime: Sendable, Hashable, Codable {
    /// The life that the server gave, from the moment of its answer.
    public let life: Duration
    /// The server's date at that moment, where it told.
    public let serverDate: Instant?
    /// This device's wall clock at that moment.
    public let receivedAt: Instant
    /// The time since start at that moment.
    public let uptime: Duration
    /// The start that ``uptime`` counts from.
    public let bootID: String

    /// A life that begins now.
    public init(life: Duration, serverDate: Instant? = nil, clock: some DeviceClock) {
        self.life = life
        self.serverDate = serverDate
        receivedAt = clock.now
        uptime = clock.uptime
        bootID = clock.bootID
    }

    /// When the token ends, by this device's clock as it was when the token came.
    public var expiresAt: Instant { receivedAt + life }

    /// What is left of the life; zero or less when it has ended.
    public func remaining(on clock: some DeviceClock) -> Duration {
        if clock.bootID == bootID { return life - (clock.uptime - uptime) }
        let passed = clock.now - receivedAt
        return passed < .zero ? .zero : life - passed
    }

    /// How long before its end a token is renewed: a sixth of its life, a minute at most.
    public var margin: Duration { min(life / 6, .seconds(60)) }

    /// Whether the token should be renewed before it is used.
    public func needsRefresh(on clock: some DeviceClock) -> Bool { remaining(on: clock) <= margin }
}
