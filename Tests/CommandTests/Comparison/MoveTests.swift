import Foundation
import LockstepContracts
import LockstepInMemoryHarness
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepComparison

/// The report of the switch contains the observations.
@Suite("Differences of a move", .limitedConcurrency)
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

    /// A renamed step would lose its consequence without an error.
    @Test func everyConsequenceNamesAStepOfAJourney() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/LockstepComparison/Journeys")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        // The names of these steps contain the name of a model or of a way to verify.
        var made = Set<String>()
        for journey in Journey.all where ["sign-up", "screens"].contains(journey.id) {
            for variant in InMemoryHarness().variants {
                let run = await journey.run(on: OneVariant(variant.name, variant: variant.name))
                made.formUnion(run.observations.map { "\(journey.id): \($0.name)" })
            }
        }
        let rows = Consequence.table.map { "\($0.journey): \($0.observation)" } + Consequence.statements.keys
        #expect(rows.count > 60)
        for row in rows {
            let (journey, step) = row.cut(at: ":")
            let name = try #require(step).dropFirst()
            #expect(Journey.all.contains { $0.id == journey }, "\(row)")
            #expect(source.contains("\"\(name)\"") || made.contains(row), "\(row)")
        }
    }

    /// The meaning of a value does not depend on features that the app never had.
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
