package import LockstepPrimitives

/// One operation on the session, from its beginning to its outcome: each event results in the next action.
///
/// The runner performs the action, and then passes back one of the events that the action lists. Any number of
/// operations may run at the same time. Each one remembers the generation in which it began, and changes nothing in
/// another generation. At the store, the operations of a process take turns, from the read to the resulting write. So
/// memory and store change in one order.
package struct SessionOperation: Sendable {
    /// The purpose of the operation.
    package enum Purpose: Sendable {
        /// A caller needs a token.
        case refresh(TokenRequirement)
        /// A flow has ended with this session, which must belong to this user.
        case enter(Session, of: ExpectedUser)
        /// A call that began with the session `from` has changed the user or the tokens.
        case update(Session, from: Session)
        /// New tokens for `sent` came after their caller had continued.
        case takeLate(Session, sent: Session)
        /// Applies an error of the backend, which rejected the session `of` outside a refresh.
        case judge(AuthError, of: Session)
        /// Another client may have written to the store.
        case reloadFromStore
        /// Tries the pending write again.
        case retryPendingWrite
        /// The user has signed out, and memory already shows it.
        case leave
    }

    /// The requirement that a token must meet.
    package enum TokenRequirement: Sendable, Hashable {
        /// Any usable token.
        case valid
        /// A usable session, but not with the token that a server has rejected.
        ///
        /// The same token also meets the requirement if it was renewed since.
        case otherThan(Secret, since: Int)

        func takes(_ session: Session, _ known: SessionMachine) -> Bool {
            guard case .otherThan(let refused, let renewals) = self else { return true }
            return session.accessToken != refused || known.renewals > renewals
        }
    }

    /// An event of an operation.
    package enum Event: Sendable {
        case begun
        /// The operation has the store's exclusive lock.
        case entered
        /// The lock was not free within the time limit.
        case shutOut(StoreError)
        case loaded(SessionMachine.Stored?)
        case unreadable(StoreError)
        case answered(Session)
        case failed(AuthError)
        case written(Revision)
        case notWritten(StoreError)
        case removed
        case notRemoved(StoreError)
        case revoked
    }

    /// The next action of an operation.
    package enum Action: Sendable {
        /// Take the store's exclusive lock, and keep it until the end: ``Event/entered``, ``Event/shutOut(_:)``.
        case enter
        /// Read the stored session: ``Event/loaded(_:)``, ``Event/unreadable(_:)``.
        case load
        /// Request new tokens from the backend: ``Event/answered(_:)``, ``Event/failed(_:)``.
        case refresh(Session)
        /// Store a session: ``Event/written(_:)``, ``Event/notWritten(_:)``.
        case write(Session, over: Revision?)
        /// Remove the stored session, if it is still this one: ``Event/removed``, ``Event/notRemoved(_:)``.
        case remove(Revision?)
        /// Revoke on the backend, now or later, a session that no client uses anymore: ``Event/revoked``.
        case revoke(Session)
        /// Release the lock, and resume all waiting callers.
        case end(Outcome)

        /// Whether the action uses the store.
        ///
        /// Consecutive store actions are one turn of the process.
        package var isAtStore: Bool {
            switch self {
            case .load, .write, .remove: true
            case .enter, .refresh, .revoke, .end: false
            }
        }
    }

    /// The outcome of an operation.
    package enum Outcome: Sendable {
        case session(Session)
        case failure(AuthError)
        case done
    }

    enum Stage: Sendable {
        case starting
        case entering
        case loadingBeforeRefresh
        case loadingAfterTimeout(StoreError)
        case asking(sent: Session)
        case storing(fresh: Session, sent: Session)
        case merging(fresh: Session, sent: Session)
        case confirmingVerdict(AuthError, sent: Session)
        case placing(tries: Int)
        case writing(Session, tries: Int)
        case settling
        case reloading
        case removing(Outcome)
    }

    package let purpose: Purpose
    package private(set) var generation: Int
    var stage = Stage.starting
    /// The sessions that a sign-in has replaced and that the client must end on the backend.
    package internal(set) var replaced: [Session] = []
    /// The time that the backend needed for the last refresh, for the event.
    package var latency: Duration?
    /// The latest time at which the operation ends, by the device's uptime.
    package var deadline: Duration?

    /// Creates an operation that begins in a generation.
    package init(_ purpose: Purpose, in generation: Int) {
        self.purpose = purpose
        self.generation = generation
    }

    /// Discards the operation's result because its flow was cancelled.
    ///
    /// This is no longer possible after the session is written, because others may have seen it.
    package mutating func abandon(at event: Event) {
        if case .written = event { return }
        generation = -1
    }

    func isStale(_ known: SessionMachine) -> Bool { known.generation != generation }

    /// Applies an event, and returns the next action.
    package mutating func take(_ event: Event, _ known: inout SessionMachine, _ effects: ClientEffects) -> Action {
        if case .loaded(let stored?) = event, !isStale(known) { known.recognise(stored) }
        switch (stage, event) {
        case (.starting, _): return start(&known, effects)

        // A refresh; see docs/sessions.md, rules 1 to 6.
        case (.entering, .entered): return loadBeforeRefresh()
        case (.entering, .shutOut(let error)): return loadAfterTimeout(error)
        case (.loadingBeforeRefresh, .loaded(let stored)): return loadedBeforeRefresh(stored, &known, effects)
        case (.loadingBeforeRefresh, .unreadable(let error)): return served(else: .unavailable(error), known, effects)
        case (.loadingAfterTimeout(let error), .loaded(let stored)): return loadedAfterTimeout(stored, error, &known, effects)
        case (.loadingAfterTimeout(let error), .unreadable): return served(else: .unavailable(error), known, effects)
        case (.asking(let sent), .answered(let fresh)): return answered(fresh, sent, &known, effects)
        case (.asking(let sent), .failed(let error)): return failed(error, sent, &known, effects)
        case (.storing(let fresh, let sent), .written(let revision)): return stored(fresh, sent, revision, &known)
        case (.storing(let fresh, let sent), .notWritten(let error)): return notStored(fresh, sent, error, &known)
        case (.merging(let fresh, let sent), .loaded(let stored)): return merge(fresh, sent, stored, &known)
        case (.merging(let fresh, let sent), .unreadable): return storeBlindly(fresh, sent, &known)
        case (.confirmingVerdict(let error, let sent), .loaded(let stored)): return judge(error, sent, stored, &known, effects)
        case (.confirmingVerdict(let error, _), .unreadable): return doubt(error, &known, effects)

        // A sign-in, a changed user, a pending write.
        case (.placing(let tries), .loaded(let stored)): return place(over: stored, tries, &known)
        case (.placing, .unreadable(let error)): return unplaced(error, &known)
        case (.writing(let session, _), .written(let revision)): return placed(session, revision, &known)
        case (.writing(_, let tries), .notWritten(let error)) where error.code == .conflict && tries < 8: return again(tries)
        case (.writing, .notWritten(let error)): return unplaced(error, &known)
        case (.settling, .loaded(let stored)): return settle(stored, &known)
        case (.reloading, .loaded(let stored)): return reload(stored, &known)
        case (.settling, .unreadable), (.reloading, .unreadable): return .end(.done)

        // The end.
        case (.removing(let outcome), .removed):
            known.didRemove()
            return .end(outcome)
        case (.removing(let outcome), .notRemoved(let error)):
            if error.code != .conflict { known.couldNotRemove(because: error) }
            return .end(error.code == .conflict || !isLeaving ? outcome : .failure(.notRemoved(error)))
        case (.removing(let outcome), _): return .end(outcome)

        default:
            assertionFailure("\(event) does not belong to \(stage)")
            return .end(.failure(.notSignedIn))
        }
    }

    private mutating func start(_ known: inout SessionMachine, _ effects: ClientEffects) -> Action {
        if case .leave = purpose {
            guard !isStale(known) else { return .end(.done) }
            stage = .removing(.done)
            return .remove(nil)
        }
        guard !isStale(known) else { return .end(.failure(lateness)) }
        switch purpose {
        case .refresh(let requirement): return beginRefresh(requirement, known, effects)
        case .enter(let fresh, of: let expected): return accept(fresh, of: expected, &known)
        case .update(let fresh, let base): return accept(fresh, of: .user(of: base), &known)
        case .takeLate(let fresh, let sent): return takeLate(fresh, sent, &known)
        case .judge(let error, let sent):
            stage = .confirmingVerdict(error, sent: sent)
            return .load
        case .reloadFromStore:
            stage = .reloading
            return .load
        case .retryPendingWrite, .leave:
            guard known.pendingWrite != nil else { return .end(.done) }
            stage = .settling
            return .load
        }
    }

    /// The error for callers whose response came too late.
    var lateness: AuthError {
        if case .enter = purpose { .flowOvertaken } else { .notSignedIn }
    }

    private var isLeaving: Bool {
        switch purpose {
        case .leave, .retryPendingWrite: true
        default: false
        }
    }
}
