internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

/// What an installed app sees whose next version has another backend: tried with one store and both adapters.
public struct Move: Sendable, Hashable {
    /// The state of the new version's client on the old version's store, and what it sent to either backend.
    var stateAfterSwitch = ""
    var requestsAtSwitch = 0
    /// The state when the app goes back to the old backend.
    var stateAfterReturn = ""
    /// Whether the token of the old backend is taken by the new one's servers.
    var problem: String?
    var configurations: [String] = []

    static func tried(from source: any Harness, to target: any Harness) async -> Move {
        let move = Mutex(Move())
        guard let old = source.comparedVariants.first, let new = target.comparedVariants.first else { return Move() }
        move.withLock { $0.configurations = [old.name, new.name] }
        do {
            try await source.withEnvironment(old) { before in
                try await target.withEnvironment(new) { after in
                    let record = JourneyRecord()
                    let driver = JourneyDriver(environment: before, record: record)
                    _ = try await driver.enter(try await driver.user("ada"))
                    let sent = (before.trace?.totals.requests ?? 0) + (after.trace?.totals.requests ?? 0)
                    let next = driver.client(of: after.adapter)
                    await next.restore()
                    let now = (before.trace?.totals.requests ?? 0) + (after.trace?.totals.requests ?? 0)
                    let back = driver.client(of: before.adapter)
                    await back.restore()
                    let (nextState, backState) = (next.state.reason, back.state.reason)
                    move.withLock {
                        $0.stateAfterSwitch = nextState
                        $0.requestsAtSwitch = now - sent
                        $0.stateAfterReturn = backState
                    }
                }
            }
        } catch {
            move.withLock { $0.problem = "\(error)" }
        }
        return move.withLock { $0 }
    }

    func changes(_ source: String, _ target: String) -> [Change] {
        guard problem == nil, configurations.count == 2 else { return [] }
        let evidence =
            "measured in this run with one store: \(source) “\(configurations[0])”, \(target) “\(configurations[1])”"
        return [
            Change(
                topic: "move", observation: "A session that exists when the app switches", before: "signedIn",
                after: "\(stateAfterSwitch), \(requestsAtSwitch) requests",
                effect: Effect(
                    94,
                    "every user is signed out by the new version, once, and signs in again; nothing is sent to either backend",
                    "say why on the screen, or exchange the old token for a new session on your server first",
                    call:
                        "if case .signedOut(.backendChanged) = auth.state { screen.show(\"We have moved. Please sign in again.\") }"
                ),
                evidence: evidence),
            Change(
                topic: "move", observation: "The old session when the switch is taken back", before: "signedIn",
                after: stateAfterReturn,
                effect: Effect(
                    3, "the kept session goes on where it was", "keep the store's key and folder, so that a way back stays open"),
                evidence: evidence),
        ]
    }
}

extension AuthState {
    /// The state with the reason of a sign-out.
    fileprivate var reason: String {
        if case .signedOut(let reason) = self { "signedOut(\(reason.rawValue))" } else { word }
    }
}
