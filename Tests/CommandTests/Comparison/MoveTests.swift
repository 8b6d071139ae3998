import LockstepContracts
import Testing

@testable import LockstepComparison

/// What a report says of the switch is what was seen.
@Suite("A move")
struct MoveTests {
    private static func changes(_ change: (inout Move) -> Void) -> [Change] {
        var move = Move()
        (move.stateBefore, move.stateAfterSwitch, move.stateAfterReturn) = ("signedIn", "signedOut(backendChanged)", "signedIn")
        move.configurations = ["first", "second"]
        change(&move)
        return move.changes("a", "b")
    }

    @Test func theUsualSwitchSignsOutOnceAndSendsNothing() throws {
        let changes = Self.changes { _ in }
        #expect(changes.map(\.kind) == [.move, .wayBack])
        #expect(changes.map(\.before) == ["signedIn", "signedIn"])
        #expect(changes.first?.effect.consequence.contains("nothing is sent") == true)
        #expect(changes.last?.effect.consequence == "the kept session goes on where it was")
    }

    @Test(arguments: [("signedOut(backendChanged)", 2), ("signedIn", 0), ("unavailable", 0)])
    func anotherSwitchIsToldAsItWas(_ state: String, _ requests: Int) throws {
        let changes = Self.changes {
            $0.stateAfterSwitch = state
            $0.requestsAtSwitch = requests
        }
        let effect = try #require(changes.first?.effect)
        #expect(!effect.consequence.contains("nothing is sent") && effect.call == nil, "\(effect)")
        #expect(effect.consequence.contains(state) && effect.consequence.contains("\(requests) requests"), "\(effect)")
    }

    @Test func aSessionThatIsNotThereAfterwardsIsTold() throws {
        let changes = Self.changes { $0.stateAfterReturn = "signedOut(storeDamaged)" }
        #expect(changes.last?.effect.consequence.contains("signedOut(storeDamaged)") == true)
    }

    /// Cases of the reviewer: what a value means does not depend on what the app never had.
    @Test(arguments: [
        ("phone", "ask for the code", "refused: unsupported", "refused: notEnabled", "there is more that the app can offer"),
        ("steps", "a wrong code", "no code in the message", "refused: invalidCode", "a code can be typed"),
        ("sign-up", "proof by link", "not offered", "signedIn", "there is more that the app can offer"),
        ("apple", "another flow's nonce", "complete", "refused: invalidIDToken", "a stolen ID token is refused"),
        ("sign-in", "sign out", "signedOut", "refused: network", "what worked is refused as `network`"),
    ])
    func aGainIsNoLoss(_ journey: String, _ name: String, _ before: String, _ after: String, _ consequence: String) {
        #expect(Consequence.effect(journey, name, before, after).consequence == consequence)
    }
}
