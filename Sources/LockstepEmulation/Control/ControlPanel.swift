public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The controls of a running emulator: time, faults, outbox, transcript, reset.
///
/// Harnesses use it in their own process. Other programs use the control routes.
public final class ControlPanel: Sendable {
    /// The backend's clock.
    public let clock: ManualClock
    /// The messages.
    public let outbox: Outbox
    /// The requests and their responses.
    public let transcript: Transcript
    /// The calls to other servers about events.
    public let deliveries: Deliveries

    /// The changes, for callers that wait for them.
    public let changes: ChangeLog

    /// The seed, if the emulator has an administrator who replaces its state.
    public let seeds: SeedKeeper?

    let faultList: FaultList
    private let forget: @Sendable () throws -> Void
    /// The emulator's initial settings: a reset restores them.
    private let sendsMessages: Bool
    private let readiness = Atomic(false)

    init(
        clock: ManualClock, outbox: Outbox, transcript: Transcript, deliveries: Deliveries = Deliveries(),
        seeds: SeedKeeper? = nil, forget: @escaping @Sendable () throws -> Void
    ) {
        self.clock = clock
        self.outbox = outbox
        changes = outbox.changes
        faultList = FaultList(changes)
        self.transcript = transcript
        self.deliveries = deliveries
        self.seeds = seeds
        self.forget = forget
        sendsMessages = outbox.isReachable
    }

    /// Whether the seed and the imports are loaded (`GET /__lockstep/ready`).
    public var isReady: Bool { readiness.load(ordering: .acquiring) }

    /// Lets `GET /__lockstep/ready` return 200.
    public func markReady() {
        readiness.store(true, ordering: .releasing)
    }

    /// Moves the backend's clock forward.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        changes.note(.clock)
    }

    /// Whether the clock would still show a time between 1970 and 9999, the range that can be written.
    func canAdvance(by duration: Duration) -> Bool {
        (Instant(seconds: 0)...Instant(seconds: 253_402_300_799)).contains(clock.now + duration)
    }

    /// Stops the clock at a time, in milliseconds since 1970, until it is moved or started again.
    ///
    /// - Returns: Whether the time is between 1970 and 9999; other times are ignored.
    func stop(at milliseconds: Int64) -> Bool {
        guard (0...253_402_300_799_999).contains(milliseconds) else { return false }
        clock.stop()
        clock.advance(by: Instant(milliseconds: milliseconds) - clock.now)
        changes.note(.clock)
        return true
    }

    /// Sets a fault for the next matching requests.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - method: The method; `nil` for any.
    ///   - path: The path below the mount, with `*` for any characters; if it contains a `?`, the query is compared, too.
    ///   - effect: The effect on each request.
    /// - Returns: The fault, which can be awaited, and which can release the requests that it holds.
    /// - Throws: If the effect contains an invalid header.
    @discardableResult
    public func fail(
        next count: Int = 1, _ method: String? = nil, _ path: String = "*", with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        try fail(next: count, RequestMatch(method, path), with: effect)
    }

    /// Sets a fault for the next matching requests.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - match: The requests that the fault affects.
    ///   - effect: The effect on each request.
    /// - Returns: The fault, which can be awaited, and which can release the requests that it holds.
    /// - Throws: If the effect contains an invalid header.
    @discardableResult
    public func fail(
        next count: Int = 1, _ match: RequestMatch, with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        if case .answer(let response) = effect { try response.headers.validate() }
        let fault = Fault(faultList.nextID(), match, effect, times: count)
        faultList.add(fault)
        return fault
    }

    /// The transcript without secrets, which is safe to show.
    public var shownTranscript: [JSON] { shown { _ in true } }

    /// Returns the requested entries of the transcript, with the secrets of all exchanges masked.
    func shown(_ isMeant: (TranscriptEntry) -> Bool) -> [JSON] {
        let entries = transcript.entries
        let meant = entries.filter(isMeant)
        guard !meant.isEmpty else { return [] }
        return meant.map(mask(for: entries).json)
    }

    /// Returns the newest of the requested entries, newest first, without secrets.
    package func shown(limit: Int, where isMeant: (TranscriptEntry) -> Bool) -> [JSON] {
        let entries = transcript.entries
        let meant = entries.filter(isMeant).suffix(limit)
        guard !meant.isEmpty else { return [] }
        return meant.reversed().map(mask(for: entries).json)
    }

    /// Returns the uptime of the machine at the response of each entry, by the number of the entry.
    package var responseTimes: [Int: Duration] {
        Dictionary(transcript.entries.map { ($0.number, $0.end) }) { $1 }
    }

    /// The deliveries, safe to show: secrets are masked, including those of the transcript.
    public var shownDeliveries: [JSON] {
        let entries = deliveries.entries
        return entries.map(mask(for: transcript.entries + entries.map(\.exchange)).json)
    }

    /// Returns a delivery without secrets.
    func shown(_ delivery: Delivery) -> JSON {
        mask(for: transcript.entries + (deliveries.entries + [delivery]).map(\.exchange)).json(of: delivery)
    }

    /// Returns a document of a control route, safe to store: secrets are masked, including those of the transcript.
    public func withoutSecrets(_ document: JSON) -> JSON {
        mask(for: transcript.entries + deliveries.entries.map(\.exchange)).shown(document)
    }

    private func mask(for entries: [TranscriptEntry]) -> TranscriptMask {
        TranscriptMask(entries, sent: outbox.secretTexts)
    }

    /// The faults since the last reset, including used ones.
    public var faults: [Fault] { faultList.all }

    /// Removes all faults; requests on hold continue.
    public func clearFaults() {
        faultList.reset()
    }

    /// Resets the emulator: it has only the users of the seed, no messages, faults or transcript, and its clock shows real time.
    ///
    /// - Parameter replayingSeed: Whether the seed is restored; otherwise the emulator has no users.
    /// - Throws: The error of a seed that cannot be applied again.
    public func reset(replayingSeed: Bool = true) throws {
        faultList.reset()
        try forget()
        outbox.reset()
        outbox.isReachable = sendsMessages
        transcript.reset()
        deliveries.reset()
        clock.run()
        clock.advance(by: .zero - clock.offset)
        if replayingSeed { try seeds?.replay() }
        for kind in ChangeLog.Kind.allCases { changes.note(kind) }
    }
}
