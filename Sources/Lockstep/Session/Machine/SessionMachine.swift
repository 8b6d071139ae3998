package import LockstepPrimitives

/// A client's knowledge of its session, as one value that only operations change.
///
/// The machine reads no clock, uses no store and sends nothing. A ``SessionOperation`` gets an event and returns the
/// next action, which its runner performs. So a test can try every rule of sessions in any order of events, without
/// waiting. docs/sessions.md draws the machine.
package struct SessionMachine: Sendable {
    /// Whether the store has been read.
    package enum Phase: Sendable {
        case restoring
        case ready
        case unavailable(StoreFailure)
    }

    /// A value that should be in the store, but that could not be written.
    package enum PendingWrite: Sendable, Hashable {
        /// The session in memory, which is newer than the stored one.
        case session
        /// No session, because the user has signed out.
        case removal
    }

    /// Whether the store has been read.
    package private(set) var phase = Phase.restoring
    /// The session that the client shows.
    ///
    /// Callers get its token.
    package private(set) var session: Session?
    /// The revision of the stored value at the last read.
    ///
    /// If the store has a value with another revision, another client wrote it.
    package private(set) var revision: Revision?
    /// The write that must be tried again.
    package private(set) var pendingWrite: PendingWrite? {
        didSet { if pendingWrite == nil { refusal = nil } }
    }
    /// The reason why the store does not contain the current value.
    package private(set) var refusal: StoreFailure?
    /// Access tokens that were replaced or signed out but may still be in the store.
    ///
    /// A stored session with one of them is older than memory. Refresh tokens would not show this, because without
    /// rotation they are the same in every session.
    private var supersededTokens: Set<Secret> = []
    /// The reason why no user is signed in.
    package private(set) var reason = SignOutReason.neverSignedIn
    /// A number that grows with every change of the signed-in user.
    ///
    /// The response to a request of an older generation is rejected.
    package private(set) var generation = 0
    /// A number that grows with every session from a refresh or another process.
    ///
    /// It distinguishes a renewed token from the old one even if both have the same text.
    package private(set) var renewals = 0
    /// The rule that decides when the client may call the backend again.
    package private(set) var backoff = Backoff()
    /// The notes that were not reported yet.
    package var notes: [SessionNote] = []

    /// Creates a machine that has not read the store yet.
    package init() {}

    /// A session as it was read from the store.
    package struct Stored: Sendable, Hashable {
        package var session: Session
        package var revision: Revision

        package init(session: Session, revision: Revision) {
            self.session = session
            self.revision = revision
        }
    }

    /// Returns the session if it already meets the requirement.
    package func serves(_ requirement: SessionOperation.TokenRequirement, on clock: any DeviceClock) -> Session? {
        guard let session, !session.lifetime.needsRefresh(on: clock), requirement.takes(session, self) else { return nil }
        return session
    }

    // MARK: Restoring

    /// Uses the content of the store at the start of the app.
    package mutating func restored(_ stored: Stored?, otherwise reason: SignOutReason = .neverSignedIn) {
        if case .ready = phase { return }
        phase = .ready
        session = stored?.session
        revision = stored?.revision
        self.reason = reason
    }

    /// Notes that the store could not be read.
    ///
    /// The state is unknown, and nothing is deleted.
    package mutating func couldNotRestore(_ failure: StoreFailure) {
        if case .ready = phase { return }
        phase = .unavailable(failure)
    }

    // MARK: Changes by operations

    /// The comparison of the stored session with the one in memory.
    enum Comparison {
        /// No other client has written: memory is as new as the store, or newer.
        case same
        /// Another client has removed the session.
        case gone
        /// Another client has written another session.
        case other(Stored)
    }

    func compare(_ stored: Stored?) -> Comparison {
        guard stored?.revision != revision else { return .same }
        return if let stored { .other(stored) } else { .gone }
    }

    /// Recognizes an older form of the session in memory that another client wrote again with a changed user.
    ///
    /// If all members of the stored session are the same, it is as new as the one in memory. In that case the other
    /// client changed only the values next to it.
    mutating func recognise(_ stored: Stored) {
        if pendingWrite == nil, stored.session == session { return revision = stored.revision }
        guard pendingWrite != nil, supersededTokens.contains(stored.session.accessToken) else { return }
        revision = stored.revision
        if session?.user.id.exact == stored.session.user.id.exact { session?.user = stored.session.user }
    }

    /// Shows a session after a write: the written session, or a newer one that came to memory in the meantime.
    ///
    /// The newer one is written next.
    mutating func show(_ session: Session, storedAs revision: Revision, written: Session) {
        self.session = session
        self.revision = revision
        if pendingWrite != nil, session == written { notes.append(.persisted) }
        pendingWrite = session == written ? nil : .session
        supersededTokens = []
    }

    /// Shows a session that could not be written; the write is repeated later.
    ///
    /// - `base`: The session whose token was used up for the new session.
    mutating func show(_ session: Session, insteadOf base: Session? = nil, unwrittenBecauseOf error: StoreError) {
        if let base { supersededTokens.insert(base.accessToken) }
        self.session = session
        pendingWrite = .session
        refusal = StoreFailure(error)
        notes.append(.persistenceFailed(error.code))
    }

    /// Uses the session that another process has stored.
    ///
    /// - Returns: Whether it belongs to the same user.
    mutating func adopt(_ stored: Stored) -> Bool {
        let isSameUser = stored.session.user.id.exact == session?.user.id.exact
        session = stored.session
        revision = stored.revision
        pendingWrite = nil
        supersededTokens = []
        backoff = Backoff()
        renewals += 1
        if !isSameUser { generation += 1 }
        notes.append(.adopted(stored.session))
        return isSameUser
    }

    /// Begins a new generation because a user signs in.
    ///
    /// Operations that began for the previous user have no effect anymore.
    mutating func beginGeneration() {
        generation += 1
        if let session { supersededTokens.insert(session.accessToken) }
        backoff = Backoff()
    }

    /// Removes the session from memory.
    ///
    /// The current operation then removes the stored session.
    ///
    /// - `isAskedFor`: Whether the app requested the sign-out. In that case the sign-out needs no event.
    package mutating func signOut(because reason: SignOutReason, verdict: AuthError? = nil, isAskedFor: Bool = false) {
        if let session, !isAskedFor { notes.append(.ended(reason, verdict, session)) }
        // The session may still be stored. A process that has not seen the sign-out may also store it again.
        if let session { supersededTokens.insert(session.accessToken) }
        session = nil
        pendingWrite = nil
        self.reason = reason
        generation += 1
        backoff = Backoff()
    }

    /// Notes that the stored session was removed.
    mutating func didRemove() {
        revision = nil
        supersededTokens = []
        if pendingWrite == .removal { pendingWrite = nil }
    }

    /// Notes that the stored value could not be decoded and was quarantined.
    ///
    /// Only the session in memory is left.
    package mutating func didQuarantine() { revision = nil }

    /// Notes that the values stored together with the session were written again.
    package mutating func isRewritten(_ former: Revision, as next: Revision) {
        if revision == former { revision = next }
    }

    /// Notes that the stored session could not be removed.
    ///
    /// The removal is repeated unless a user has signed in since.
    mutating func couldNotRemove(because error: StoreError) {
        guard session == nil else { return }
        pendingWrite = .removal
        refusal = StoreFailure(error)
        notes.append(.persistenceFailed(error.code))
    }

    /// Cancels the removal, because the signed-out session is no longer stored: it was replaced by another sign-in or removed.
    mutating func cancelPendingRemoval(stored: Stored?) {
        pendingWrite = nil
        revision = stored?.revision
    }

    mutating func answered() { backoff = Backoff() }

    mutating func didRenew() { renewals += 1 }

    /// Returns the reason why a whole response must be rejected, and notes it for the event sink.
    mutating func refusal(of fresh: Session, for expected: ExpectedUser) -> AuthError? {
        let refusal = expected.refusal(of: fresh)
        if refusal?.code == .invalidResponse { notes.append(.mismatched(session)) }
        return refusal
    }

    /// Returns the sessions that no client uses anymore when `fresh` replaces them: the session in memory, and the
    /// stored session.
    ///
    /// If both are forms of the same session, only the newer one is returned.
    func replaced(by fresh: Session, over stored: Stored?) -> [Session] {
        var forms: [Session] = []
        if let stored, case .other = compare(stored) { forms.append(stored.session) }
        if let session { forms.append(session) }
        return forms.reduce(into: []) { found, session in
            if !session.isSame(as: fresh), !found.contains(where: { $0.isSame(as: session) }) { found.append(session) }
        }
    }

    mutating func failed(_ error: AuthError, _ effects: ClientEffects) { backoff.failed(error, effects) }
}

/// The rule that decides when the client may call a failed backend again, and the error for callers until then.
///
/// After the first failure, the next caller may try immediately. Then the pauses grow from two seconds to a minute. A
/// random time of up to a quarter is added, so that devices that failed together do not return together. The rule obeys
/// `Retry-After`, up to an hour. A backend that keeps failing gets ten calls in the first five minutes (at 0, 0, 2, 6,
/// 14, 30, 62, 122, 182 and 242 seconds).
package struct Backoff: Sendable {
    private var failures = 0
    private var last: (error: AuthError, since: Duration, until: Duration)?

    package init() {}

    /// Returns the error for a caller while it is too early for a call; `nil` if the client may call the backend.
    package func refusal(on clock: any DeviceClock) -> AuthError? {
        // A clock that went back would make the pause too long, so the client may then call the backend.
        guard let last, case let now = clock.uptime, now >= last.since, case let left = last.until - now, left > .zero else {
            return nil
        }
        var error = last.error
        error.retry = .after(left)
        return error
    }

    mutating func failed(_ error: AuthError, _ effects: ClientEffects) {
        guard error.code != .cancelled else { return }
        failures += 1
        let own = failures == 1 ? .zero : min(.seconds(1 << min(failures - 1, 6)), Self.longest(after: error))
        let chance = Int64(effects.randomness.bytes(1).first ?? 0)
        let asked: Duration = if case .after(let time) = error.retry { min(time, .seconds(3600)) } else { .zero }
        let now = effects.clock.uptime
        last = (error, now, now + max(asked, own + own * Int(chance) / 1024))
    }

    /// Returns the maximum pause.
    ///
    /// Without a network, a long pause helps no backend, and the connection may return at any moment.
    private static func longest(after error: AuthError) -> Duration {
        error.code == .network ? .seconds(4) : .seconds(60)
    }
}
