internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives
internal import Synchronization

/// The effects on an installed app if its next version uses another backend.
///
/// The comparison tries this switch with one store and both adapters.
package struct Move: Sendable, Hashable {
    /// The names of the two providers.
    var (source, target) = ("", "")
    /// The state of the old version's client before the switch.
    var stateBefore = ""
    /// The state of the new version's client with the old version's store, and its requests to both backends.
    var stateAfterSwitch = ""
    var requestsAtSwitch = 0
    /// The state when the app goes back to the old backend.
    var stateAfterReturn = ""
    /// The reason why the switch could not be tried; `nil` if it was tried.
    var problem: String?
    var configurations: [String] = []

    static func tried(from source: any Harness, to target: any Harness) async -> Move {
        let move = Mutex(Move())
        move.withLock { ($0.source, $0.target) = (source.name, target.name) }
        guard let old = source.comparedVariants.first, let new = target.comparedVariants.first else {
            return move.withLock { $0 }
        }
        move.withLock { $0.configurations = [old.name, new.name] }
        do {
            try await source.withEnvironment(old) { before in
                try await target.withEnvironment(new) { after in
                    let record = JourneyRecord()
                    let driver = JourneyDriver(environment: before, title: source.title, record: record)
                    _ = try await driver.enter(try await driver.user("ada"))
                    let firstState = driver.app.state.reason
                    let sent = (before.trace?.totals.requests ?? 0) + (after.trace?.totals.requests ?? 0)
                    let next = driver.client(of: after.adapter)
                    await next.restore()
                    let now = (before.trace?.totals.requests ?? 0) + (after.trace?.totals.requests ?? 0)
                    let back = driver.client(of: before.adapter)
                    await back.restore()
                    let (nextState, backState) = (next.state.reason, back.state.reason)
                    move.withLock {
                        $0.stateBefore = firstState
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
                kind: .move, observation: "A session that exists when the app switches", before: stateBefore,
                after: "\(stateAfterSwitch), \(requestsAtSwitch) requests", effect: effectOfSwitch, evidence: evidence),
            Change(
                kind: .wayBack, observation: "The old session, after the app returns to the old backend", before: stateBefore,
                after: stateAfterReturn, effect: effectOfReturn, evidence: evidence),
        ]
    }

    /// The meaning of the new version's first start.
    ///
    /// An unknown one must be reviewed.
    private var effectOfSwitch: Effect {
        guard stateAfterSwitch == "signedOut(backendChanged)", requestsAtSwitch == 0 else {
            return Effect(
                97, .line, "the new version's first start shows \(stateAfterSwitch) and sends \(requestsAtSwitch) requests",
                "before the release, start the new version with the store of an old version, and check each request")
        }
        return Self.signedOut
    }

    private static let signedOut: Effect = {
        var effect = Effect(
            94, .screen, "the new version signs every user out once, without a request to either backend",
            "explain this on the screen, or first exchange the old token for a new session on your server",
            call: "if case .signedOut(.backendChanged) = auth.state { screen.show(\"We have moved. Please sign in again.\") }")
        effect.brief = "users are signed out once"
        return effect
    }()

    /// The remedies for the switch.
    static let effects = [signedOut]

    private var effectOfReturn: Effect {
        guard stateAfterReturn == stateBefore else {
            return Effect(
                61, .none, "the earlier session is gone: \(stateAfterReturn)", "do not plan to move these users back")
        }
        return Effect(
            3, .line, "the old session continues, unless the user has signed out in the new version, which removes it",
            "keep the store's key and folder so that the app can return to the old backend")
    }
}

extension AuthState {
    /// The state with the reason of a sign-out.
    fileprivate var reason: String {
        if case .signedOut(let reason) = self { "signedOut(\(reason.rawValue))" } else { word }
    }
}
