import Lockstep
import LockstepPrimitives
import LockstepTestSupport

/// Two or three processes with one store and one backend, in which everything happens in the order of a schedule.
///
/// Calls, responses, lost responses, errors, full and locked stores, clock jumps, deaths. The invariants are checked after each
/// move. Nothing waits and nothing is random, so a failing schedule fails again.
final class Simulation {
    let clock = ManualClock(base: FixedClock())
    let effects: ClientEffects
    var backend: SimulatedBackend
    var store = SimulatedStore()
    var processes: [SimulatedProcess]
    var nextJob = 0
    /// Whether a backend can rightly see a token twice, because a response was lost, a process died, or a write failed.
    var mayReuse = false
    /// Families that were signed out on request while they were stored.
    ///
    /// None of them may ever be stored again.
    var buried: Set<Int> = []
    var storedNumbers: [Int: Int] = [:]
    var story: [String]?
    var violation: String?

    init(
        reuse: SimulatedBackend.Reuse, processes count: Int = 2, flaw: SimulatedStore.Flaw? = nil, tellsStory: Bool = false
    ) {
        processes = Array(repeating: SimulatedProcess(), count: count)
        backend = SimulatedBackend(reuse: reuse)
        store.flaw = flaw
        effects = ClientEffects(clock: clock, randomness: NoRandomness())
        story = tellsStory ? [] : nil
        for place in processes.indices { launch(place) }
    }

    /// Runs a schedule to its end, then lets all running operations end.
    ///
    /// - Returns: The failed invariant; `nil` if every one held.
    func run(_ schedule: Schedule) -> String? {
        for move in schedule.moves {
            make(move)
            check()
            if violation != nil { return violation }
        }
        settle()
        return violation
    }

    func tell(_ sentence: @autoclosure () -> String) { story?.append(sentence()) }

    // MARK: Moves

    private func make(_ move: UInt16) {
        let (detail, place) = Int(move).quotientAndRemainder(dividingBy: processes.count)
        // More than half of the moves continue running operations, so that many run at the same time and also end.
        if detail % 16 < 9, !processes[place].jobs.isEmpty {
            return advance(place, job: (detail / 16) % processes[place].jobs.count, chance: detail / 256)
        }
        switch detail / 16 % 25 {
        case 0...6: needToken(place)
        case 7: needOtherToken(place)
        case 8, 9: signIn(place, user: detail / 512 % 2)
        case 10, 11: signOut(place)
        case 12: update(place)
        case 13...15: pass(.seconds(3600), "an hour passes")
        case 16: pass(.seconds(5), "five seconds pass")
        case 17: jump(detail)
        case 18: fill()
        case 19: lock()
        case 20: kill(place)
        case 21: endByAdministrator(detail)
        case 22: retryPendingWrite(place)
        case 23: detail % 2 == 0 ? look(place) : cancel(place)
        default: pass(.seconds(70), "seventy seconds pass")
        }
    }

    func launch(_ place: Int) {
        processes[place] = SimulatedProcess()
        restore(place)
    }

    func restore(_ place: Int) {
        switch store.load() {
        case .loaded(let stored): processes[place].machine.restored(stored)
        default: processes[place].machine.couldNotRestore(.init(StoreError(.unreadable, "locked")))
        }
        tell("process \(place) starts: \(name(processes[place].machine.session))")
    }

    private func needToken(_ place: Int) {
        guard processes[place].isReady else { return restore(place) }
        guard processes[place].machine.session != nil, !processes[place].isRefreshing,
            processes[place].machine.serves(.valid, on: clock) == nil
        else { return }
        tell("process \(place) needs a token")
        begin(.refresh(.valid), place)
    }

    private func needOtherToken(_ place: Int) {
        guard let session = processes[place].machine.session, !processes[place].isRefreshing else { return }
        tell("process \(place) has its token refused by a server of the app")
        begin(.refresh(.otherThan(session.accessToken, since: processes[place].machine.renewals)), place)
    }

    private func signIn(_ place: Int, user: Int) {
        guard processes[place].isReady else { return }
        let session = backend.signIn(user: user, on: clock)
        tell("user \(user) signs in at process \(place): \(name(session))")
        begin(.enter(session, of: .any), place)
    }

    private func signOut(_ place: Int) {
        guard let session = processes[place].machine.session else { return }
        tell("process \(place) signs out")
        processes[place].machine.signOut(because: .requested, isAskedFor: true)
        backend.end(TokenName(of: session).family)
        begin(.leave, place)
    }

    private func update(_ place: Int) {
        guard let session = processes[place].machine.session else { return }
        let changed = backend.rename(session)
        tell("process \(place) has renamed the user of \(name(session))")
        begin(.update(changed, from: session), place)
    }

    func retryPendingWrite(_ place: Int) {
        guard processes[place].machine.pendingWrite != nil else { return }
        tell("process \(place) tries again to write")
        begin(.retryPendingWrite, place)
    }

    /// The flow of a sign-in is cancelled while its session is being stored.
    private func cancel(_ place: Int) {
        let index = processes[place].jobs.firstIndex { job in
            if case .enter = job.operation.purpose, case .done = job.progress { true } else { false }
        }
        guard let index else { return }
        tell("process \(place) cancels the sign-in of operation \(processes[place].jobs[index].number)")
        if case .done(let event) = processes[place].jobs[index].progress {
            processes[place].jobs[index].operation.abandon(at: event)
        }
    }

    private func look(_ place: Int) {
        guard processes[place].isReady else { return }
        tell("process \(place) looks at the store")
        begin(.reloadFromStore, place)
    }

    private func pass(_ time: Duration, _ words: String) {
        tell(words)
        clock.advance(by: time)
    }

    private func jump(_ detail: Int) {
        tell("the wall clock jumps by a day")
        clock.shiftWall(by: .seconds(detail % 2 == 0 ? 86_400 : -86_400))
    }

    private func fill() {
        store.isFull.toggle()
        tell(store.isFull ? "the store is full" : "the store has space again")
    }

    private func lock() {
        store.isUnreadable.toggle()
        tell(store.isUnreadable ? "the store is locked" : "the store is unlocked")
    }

    private func kill(_ place: Int) {
        tell("process \(place) is killed")
        // Its unwritten state, and responses for it, are lost.
        if !processes[place].jobs.isEmpty || processes[place].machine.pendingWrite != nil { mayReuse = true }
        for job in processes[place].jobs where job.isInside && store.lock == job.number { store.lock = nil }
        launch(place)
    }

    private func endByAdministrator(_ detail: Int) {
        guard !backend.families.isEmpty else { return }
        let family = detail / 512 % backend.families.count
        tell("an administrator ends family \(family)")
        backend.end(family)
    }
}

/// Randomness plays no part.
///
/// The tests of the backoff cover its jitter.
private struct NoRandomness: Randomness {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
