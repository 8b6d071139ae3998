package import LockstepPrimitives

/// All that a client knows about its session: one value, which only operations change.
///
/// The machine takes no time, touches no store and sends nothing. A ``SessionOperation`` gets an event and returns the
/// next action, which its runner performs. So a test can try every rule of sessions in any order of events, without
/// waiting. docs/sessions.md draws the machine.
package struct SessionMachine: Sendable {
    /// Whether the store has been read.
    package enum Phase: Sendable {
        case restoring
        case ready
        case unavailable(StoreFailure)
    }

    /// A value that the store should contain but does not, because it could not be written.
    package enum PendingWrite: Sendable, Hashable {
        /// The session in memory, which is newer than the stored one.
        case session
        /// Nothing: the user has signed out.
        case removal
    }

    /// Whether the store has been read.
    package private(set) var phase = Phase.restoring
    /// The session that the client shows, and whose token callers get.
    package private(set) var session: Session?
    /// The revision of the stored value when it was last read: a value with another revision was written by another client.
    package private(set) var revision: Revision?
    /// The write that must be tried again.
    package private(set) var pendingWrite: PendingWrite? {
        didSet { if pendingWrite == nil { refusal = nil } }
    }
    /// The reason why the store does not contain the current value.
    package private(set) var refusal: StoreFailure?
    /// Access tokens that were replaced or signed out but may still be in the store.
    ///
    /// If a stored session has one of them, it is older than memory. Refresh tokens would not show this: if they do not
    /// rotate, they are the same in every session.
    private var supersededTokens: Set<Secret> = []
    /// The reason why no user is signed in.
    package private(set) var reason = SignOutReason.neverSignedIn
    /// A number that grows with every change of the signed-in user; a response to a request of an older generation is
    /// rejected.
    package private(set) var generation = 0
    /// A number that grows with every session from a refresh or another process; it distinguishes a renewed token from
    /// the previous one if both are the same text.
    package private(set) var renewals = 0
    /// The rule that says when the client may call the backend again.
    package private(set) var backoff = Backoff()
    /// The notes that were not reported yet.
    package var notes: [SessionNote] = []

    /// Knows nothing yet.
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

    /// The session, if it can be used for this as it is.
    package func serves(_ demand: SessionOperation.TokenRequirement, on clock: any DeviceClock) -> Session? {
        guard let session, !session.lifetime.needsRefresh(on: clock), demand.takes(session, self) else { return nil }
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

    /// The store could not be read: the state is unknown, and nothing is deleted.
    package mutating func couldNotRestore(_ failure: StoreFailure) {
        if case .ready = phase { return }
        phase = .unavailable(failure)
    }

    // MARK: What operations change

    /// The comparison of the stored session with the one in memory.
    enum Comparison {
        /// No other client has written: memory is as new as the store, or newer.
        case same
        /// Another client has removed it.
        case gone
        /// Another client has written another one.
        case other(Stored)
    }

    func compare(_ stored: Stored?) -> Comparison {
        guard stored?.revision != revision else { return .same }
        return if let stored { .other(stored) } else { .gone }
    }

    /// Recognizes an older form of the session in memory, which another client has written again with a changed user.
    ///
    /// If all members of the stored session are the same, it is as new as memory: the other client has written only the
    /// values next to it.
    mutating func recognise(_ stored: Stored) {
        if pendingWrite == nil, stored.session == session { return revision = stored.revision }
        guard pendingWrite != nil, supersededTokens.contains(stored.session.accessToken) else { return }
        revision = stored.revision
        if session?.user.id == stored.session.user.id { session?.user = stored.session.user }
    }

    /// Shows a session after a write: the written one, or a newer one that has come to memory in the meantime and is
    /// written next.
    mutating func show(_ session: Session, storedAs revision: Revision, written: Session) {
        self.session = session
        self.revision = revision
        if pendingWrite != nil, session == written { notes.append(.persisted) }
        pendingWrite = session == written ? nil : .session
        supersededTokens = []
    }

    /// Shows a session that could not be written; the write is tried again.
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
        let isSameUser = stored.session.user.id == session?.user.id
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

    /// Begins a new generation because a user signs in; operations that began for the previous user have no effect any
    /// more.
    mutating func beginGeneration() {
        generation += 1
        if let session { supersededTokens.insert(session.accessToken) }
        backoff = Backoff()
    }

    /// Removes the session from memory.
    ///
    /// The operation that continues removes the stored session.
    ///
    /// - `isAskedFor`: Whether the app requested the sign-out, which then needs no event.
    package mutating func signOut(because reason: SignOutReason, verdict: AuthError? = nil, isAskedFor: Bool = false) {
        if let session, !isAskedFor { notes.append(.ended(reason, verdict, session)) }
        // It may still be stored, and be written there again by a process that has not seen the sign-out.
        if let session { supersededTokens.insert(session.accessToken) }
        session = nil
        pendingWrite = nil
        self.reason = reason
        generation += 1
        backoff = Backoff()
    }

    /// The stored session is gone.
    mutating func didRemove() {
        revision = nil
        supersededTokens = []
        if pendingWrite == .removal { pendingWrite = nil }
    }

    /// The stored value could not be decoded and is quarantined: only memory is left.
    package mutating func didQuarantine() { revision = nil }

    /// Notes that the values stored together with the session were written again.
    package mutating func isRewritten(_ former: Revision, as next: Revision) {
        if revision == former { revision = next }
    }

    /// The stored session could not be removed; that is tried again unless a user has signed in since.
    mutating func couldNotRemove(because error: StoreError) {
        guard session == nil else { return }
        pendingWrite = .removal
        refusal = StoreFailure(error)
        notes.append(.persistenceFailed(error.code))
    }

    /// Cancels the removal because the session is not stored any more: the stored session now belongs to another
    /// sign-in.
    mutating func forgiveRemoval(because stored: Stored?) {
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

    /// Returns the sessions that no client uses any more once `fresh` replaces them: the session in memory, and the
    /// stored one.
    ///
    /// If these are two forms of one session, the newer one is returned.
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

/// The rule that says when the client may call a failed backend again, and the error for callers until then.
///
/// After the first failure, the next caller may try immediately. Then the pauses grow from two seconds to a minute. A
/// random time of up to a quarter is added, so that devices that failed together do not return together. `Retry-After`
/// is obeyed, up to an hour. A backend that keeps failing gets ten calls in the first five minutes (at 0, 0, 2, 6, 14,
/// 30, 62, 122, 182 and 242 seconds).
package struct Backoff: Sendable {
    private var failures = 0
    private var last: (error: AuthError, since: Duration, until: Duration)?

    package init() {}

    /// Returns the error for a caller while it is too early for a call; `nil` if the client may call the backend.
    package func refusal(on clock: any DeviceClock) -> AuthError? {
        // A clock that went back would make the pause longer than it was meant to be: then the backend may be asked.
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

    /// Without a network a long pause spares no backend, and the connection may be back any moment.
    private static func longest(after error: AuthError) -> Duration {
        error.code == .network ? .seconds(4) : .seconds(60)
    }
}
