import LockstepContracts
import LockstepTestConcurrency
import Testing

@testable import LockstepComparison

/// What a report says of the switch is what was seen.
@Suite("A move", .limitedConcurrency)
struct MoveTests {
    private static func changes(_ change: (inout Move) -> Void) -> [Change] {
        var move = Move()
        (move.stateBefore, move.stateAfterSwitch, move.stateAfterReturn) = ("signedIn", "signedOut(backendChanged)", "signedIn")
        move.configurations = ["first", "second"]
        change(&move)
        return move.changes("a", "b")
    }

    @Test func switchSignsOutOnceAndSendsNothing() throws {
        let changes = Self.changes { _ in }
        #expect(changes.map(\.kind) == [.move, .wayBack])
        #expect(changes.map(\.before) == ["signedIn", "signedIn"])
        #expect(changes.first?.effect == Move.effects.first)
        #expect(changes.last?.effect.cost.weight == "notice")
    }

    @Test(arguments: [("signedOut(backendChanged)", 2), ("signedIn", 0), ("unavailable", 0)])
    func unusualSwitchIsReported(_ state: String, _ requests: Int) throws {
        let changes = Self.changes {
            $0.stateAfterSwitch = state
            $0.requestsAtSwitch = requests
        }
        let effect = try #require(changes.first?.effect)
        #expect(effect != Move.effects.first && effect.call == nil, "\(effect)")
        #expect(effect.consequence.contains(state) && effect.consequence.contains("\(requests) requests"), "\(effect)")
    }

    @Test func missingSessionAfterTheReturnIsReported() throws {
        let changes = Self.changes { $0.stateAfterReturn = "signedOut(storeDamaged)" }
        #expect(changes.last?.effect.consequence.contains("signedOut(storeDamaged)") == true)
    }

    /// Cases of the reviewer: what a value means does not depend on what the app never had.
    @Test(arguments: [
        ("phone", "request the code", "refused: unsupported", "refused: notEnabled", "the app can offer more"),
        ("steps", "a wrong code", "no code in the message", "refused: invalidCode", "the user can type a code"),
        ("sign-up", "verify by link", "not offered", "signedIn", "the app can offer more"),
        ("apple", "token with another flow's nonce", "complete", "refused: invalidIDToken", "a stolen ID token is rejected"),
        ("sign-in", "sign out", "signedOut", "refused: network", "a call that worked before fails with `network`"),
    ])
    func gainIsNotReportedAsALoss(_ journey: String, _ name: String, _ before: String, _ after: String, _ consequence: String) {
        #expect(Consequence.effect(journey, name, before, after).consequence == consequence)
    }
}
