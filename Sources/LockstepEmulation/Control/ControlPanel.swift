public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// The controls of a running emulator, for tests in the same process.
///
/// The controls move the clock, set faults, read messages and requests, and reset the emulator. Programs in other processes use the control
/// routes.
///
/// ```swift
/// let fault = try server.panel.fail("POST", "/token*", with: .status(503))
/// server.panel.advance(by: .seconds(3600))
/// await fault.waitUntilTriggered()              // a client has tried to refresh its session
/// print(server.panel.outbox.mails.count)
/// ```
public final class ControlPanel: Sendable {
    /// The clock of the backend.
    public let clock: ManualClock
    /// The emails and text messages that the emulator has sent.
    public let outbox: Outbox
    /// The requests that the emulator has received, with their responses.
    public let transcript: Transcript
    /// The calls by which the emulator has reported events to other servers.
    public let deliveries: Deliveries

    /// The counter of changes, for callers that wait for a change.
    public let changes: ChangeLog

    /// The seed of the emulator; `nil` if the emulator cannot replace its state.
    public let seeds: SeedKeeper?

    let faultList: FaultList
    private let secrets = KnownSecrets()
    private let forget: @Sendable () throws -> Void
    /// Whether the outbox could send messages at the start; a reset restores this value.
    private let sendsMessages: Bool
    private let readiness = Atomic(false)
    private let stopping = Mutex<(@Sendable () -> Void)?>(nil)
    private let log = Mutex<Log?>(nil)

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

    /// Whether the emulator has loaded its seed and its imports (`GET /__lockstep/ready`).
    public var isReady: Bool { readiness.load(ordering: .acquiring) }

    /// Marks the emulator as ready, so that `GET /__lockstep/ready` returns 200.
    public func markReady() {
        readiness.store(true, ordering: .releasing)
    }

    /// Sets what happens when a program asks the emulator's process to end (`POST /__lockstep/stop`).
    ///
    /// Without this call, the route returns 409, because the emulator belongs to a program.
    ///
    /// - Parameter body: A closure that ends the process; it must return immediately.
    public func onStop(_ body: @escaping @Sendable () -> Void) {
        stopping.withLock { $0 = body }
    }

    /// Asks the process to end.
    ///
    /// - Returns: Whether it ends.
    func stop() -> Bool {
        guard let body = stopping.withLock({ $0 }) else { return false }
        body()
        return true
    }

    /// Returns the lines of the emulator's process after a place, at most a number of them, or waits some seconds for the next.
    package typealias Log = @Sendable (_ place: String?, _ limit: Int, _ seconds: Int) async -> JSON

    /// Sets what `GET /__lockstep/log` returns: `lines`, and their place `last`.
    package func onLog(_ body: @escaping Log) {
        log.withLock { $0 = body }
    }

    /// Returns the lines of the emulator's process; none if the emulator belongs to a program, which prints none.
    func lines(after place: String?, limit: Int, within seconds: Int) async -> JSON {
        await log.withLock { $0 }?(place, limit, seconds) ?? ["lines": [], "last": ""]
    }

    /// Moves the clock of the backend forward.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        changes.note(.clock)
    }

    /// Returns whether the clock would still show a time from 1970 to 9999, which JSON and headers can express.
    func canAdvance(by duration: Duration) -> Bool {
        (Instant(seconds: 0)...Instant(seconds: 253_402_300_799)).contains(clock.now + duration)
    }

    /// Stops the clock at a time, in milliseconds since 1970, until a test moves or starts it.
    ///
    /// - Returns: Whether the time is between 1970 and 9999. Other times are ignored.
    func stop(at milliseconds: Int64) -> Bool {
        guard (0...253_402_300_799_999).contains(milliseconds) else { return false }
        clock.stop()
        clock.advance(by: Instant(milliseconds: milliseconds) - clock.now)
        changes.note(.clock)
        return true
    }

    /// Sets a fault for the next requests with a method and a path.
    ///
    /// - Parameters:
    ///   - count: The number of requests that the fault affects.
    ///   - method: The method of these requests; `nil` for any.
    ///   - path: The path of these requests after the mount. `*` matches any characters. If the path contains `?`, the query must
    ///     match, too.
    /// - Returns: The fault. Use the returned fault to wait until it has affected a request, or to release the requests that it holds.
    /// - Throws: An error if the effect contains an invalid header.
    @discardableResult
    public func fail(
        next count: Int = 1, _ method: String? = nil, _ path: String = "*", with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        try fail(next: count, RequestMatch(method, path), with: effect)
    }

    /// Sets a fault for the next requests that match.
    ///
    /// - Parameters:
    ///   - count: The number of requests that the fault affects.
    ///   - match: The requests that the fault affects.
    /// - Returns: The fault. Use the returned fault to wait until it has affected a request, or to release the requests that it holds.
    /// - Throws: An error if the effect contains an invalid header.
    @discardableResult
    public func fail(
        next count: Int = 1, _ match: RequestMatch, with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        if case .answer(let response) = effect { try response.headers.validate() }
        let fault = Fault(faultList.nextID(), match, effect, times: count)
        faultList.add(fault)
        return fault
    }

    /// The requests and responses, with masked secrets, so that they are safe to show.
    public var shownTranscript: [JSON] { shown(transcript.entries) }

    /// Returns recorded requests, with the secrets of all recorded requests masked.
    func shown(_ entries: [TranscriptEntry]) -> [JSON] {
        guard !entries.isEmpty else { return [] }
        let mask = mask(showing: entries.count)
        return entries.map { mask.json(of: $0) }
    }

    /// Returns the latest recorded requests, newest first, without secrets.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of requests.
    ///   - isMeant: Returns whether a request is to be included.
    /// - Returns: The requests as JSON, each with its recording.
    package func shown(limit: Int, where isMeant: (TranscriptEntry) -> Bool) -> [(entry: TranscriptEntry, request: JSON)] {
        let entries = transcript.latest(limit, where: isMeant)
        return zip(entries, shown(entries)).map { ($0, $1) }
    }

    /// The calls to other servers, with masked secrets, so that they are safe to show.
    ///
    /// Secrets that occur in the recorded requests are masked, too.
    public var shownDeliveries: [JSON] { shown(deliveries.entries) }

    /// Returns calls to other servers, without secrets.
    package func shown(_ deliveries: [Delivery]) -> [JSON] {
        guard !deliveries.isEmpty else { return [] }
        let mask = mask(showing: deliveries.count)
        return deliveries.map { mask.json(of: $0) }
    }

    /// Masks the secrets in a document of a control route, so that the document is safe to store.
    ///
    /// Secrets that occur in the recorded requests are masked, too.
    public func withoutSecrets(_ document: JSON) -> JSON {
        mask(showing: 1).shown(document)
    }

    /// Returns a mask for the secrets that are known now.
    private func mask(showing count: Int) -> TranscriptMask {
        changes.noteReading(of: count)
        return secrets.mask(for: self)
    }

    /// All faults that were set since the last reset, including faults that have ended.
    public var faults: [Fault] { faultList.all }

    /// Removes all faults.
    ///
    /// If a fault holds requests, they continue.
    public func clearFaults() {
        faultList.reset()
    }

    /// Resets the emulator.
    ///
    /// Afterwards the emulator has only the users of the seed. There are no messages, faults or recorded requests, and the clock shows real
    /// time.
    ///
    /// - Parameter replayingSeed: Whether to load the seed again. If `false`, the emulator has no users.
    /// - Throws: An error if the seed cannot be loaded again.
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
