public import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// Controls of a running emulator: time, faults, outbox, transcript, reset.
///
/// Harnesses use it in process, others over the control routes.
public final class ControlPanel: Sendable {
    /// The backend's clock.
    public let clock: ManualClock
    /// The messages.
    public let outbox: Outbox
    /// The requests and their responses.
    public let transcript: Transcript
    /// The calls of other servers about events.
    public let deliveries: Deliveries

    /// What changes, for those who wait for it.
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

    /// Whether everything that a test expects from the start is there (`GET /__lockstep/ready`).
    public var isReady: Bool { readiness.load(ordering: .acquiring) }

    /// Makes `GET /__lockstep/ready` answer 200.
    public func markReady() {
        readiness.store(true, ordering: .releasing)
    }

    /// Lets time pass at the backend.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        changes.note(.clock)
    }

    /// Whether the clock would still show a time that can be written: one from 1970 to 9999.
    func canAdvance(by duration: Duration) -> Bool {
        (Instant(seconds: 0)...Instant(seconds: 253_402_300_799)).contains(clock.now + duration)
    }

    /// Stops the clock at a time, in milliseconds since 1970: it stands there until it is moved or runs again.
    ///
    /// - Returns: whether it is one from 1970 to 9999; no other is taken.
    func stop(at milliseconds: Int64) -> Bool {
        guard (0...253_402_300_799_999).contains(milliseconds) else { return false }
        clock.stop()
        clock.advance(by: Instant(milliseconds: milliseconds) - clock.now)
        changes.note(.clock)
        return true
    }

    /// Makes the next requests that match fail.
    ///
    /// - Parameters:
    ///   - count: how many requests.
    ///   - method: the method; any if it is `nil`.
    ///   - path: the path below the mount, with `*` for any run of characters; with a `?` the query is compared too.
    ///   - effect: what happens to each request.
    /// - Returns: the fault, to wait for it and to release what it holds.
    /// - Throws: if no response can carry a header of the effect.
    @discardableResult
    public func fail(
        next count: Int = 1, _ method: String? = nil, _ path: String = "*", with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        try fail(next: count, RequestMatch(method, path), with: effect)
    }

    /// Makes the next requests that match fail.
    ///
    /// - Parameters:
    ///   - count: how many requests.
    ///   - match: which requests.
    ///   - effect: what happens to each request.
    /// - Returns: the fault, to wait for it and to release what it holds.
    /// - Throws: if no response can carry a header of the effect.
    @discardableResult
    public func fail(
        next count: Int = 1, _ match: RequestMatch, with effect: FaultEffect
    ) throws(HeaderError) -> Fault {
        if case .answer(let response) = effect { try response.headers.validate() }
        let fault = Fault(faultList.nextID(), match, effect, times: count)
        faultList.add(fault)
        return fault
    }

    /// The transcript without secrets: it is safe to show.
    public var shownTranscript: [JSON] { shown { _ in true } }

    /// The entries of the transcript that are asked for, without secrets: those of all exchanges.
    func shown(_ isMeant: (TranscriptEntry) -> Bool) -> [JSON] {
        let entries = transcript.entries
        let meant = entries.filter(isMeant)
        guard !meant.isEmpty else { return [] }
        return meant.map(mask(for: entries).json)
    }

    /// The newest entries of the transcript that are asked for, the newest first, without secrets.
    package func shown(limit: Int, where isMeant: (TranscriptEntry) -> Bool) -> [JSON] {
        let entries = transcript.entries
        let meant = entries.filter(isMeant).suffix(limit)
        guard !meant.isEmpty else { return [] }
        return meant.reversed().map(mask(for: entries).json)
    }

    /// The deliveries without secrets, those of the transcript included: it is safe to show.
    public var shownDeliveries: [JSON] {
        let entries = deliveries.entries
        return entries.map(mask(for: transcript.entries + entries.map(\.exchange)).json)
    }

    /// A delivery without secrets.
    func shown(_ delivery: Delivery) -> JSON {
        mask(for: transcript.entries + (deliveries.entries + [delivery]).map(\.exchange)).json(of: delivery)
    }

    /// A document of a control route without secrets, those of the transcript included: it is safe to keep in a file.
    public func withoutSecrets(_ document: JSON) -> JSON {
        mask(for: transcript.entries + deliveries.entries.map(\.exchange)).shown(document)
    }

    private func mask(for entries: [TranscriptEntry]) -> TranscriptMask {
        TranscriptMask(entries, sent: outbox.secretTexts)
    }

    /// The faults since the last reset, spent ones included.
    public var faults: [Fault] { faultList.all }

    /// Lifts all faults; what they hold continues.
    public func clearFaults() {
        faultList.reset()
    }

    /// Resets everything: the users of the seed only, no messages, no faults, no transcript, and the clock back on real time.
    ///
    /// - Parameter replayingSeed: Whether the seed is put in again; otherwise no user is left.
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
