import Foundation
import Lockstep
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

    /// What people ask first: what users notice, the work by place, what is lost, and most of the work.
    @Test func verdictCountsTheWorkAndNamesWhatIsLost() throws {
        func change(_ name: String, _ effort: Effort, brief: String? = nil, work: String? = nil, lost: String? = nil) -> Change {
            var effect = Effect(80, effort, name, effort == .none ? "" : "do it")
            (effect.brief, effect.work) = (brief, work)
            var change = Change(kind: .declared, observation: name, before: "x", after: "y", effect: effect, evidence: "e")
            change.lost = lost
            return change
        }
        let changes = [
            change("a", .server, brief: "every id changes", work: "ids"), change("b", .server, work: "checks"),
            change("c", .screen, lost: "a photo"), change("d", .none),
            Change(kind: .setting, observation: "e", before: "", after: "", effect: Effect(2, .setting, "e"), evidence: ""),
        ]
        let report = MoveReport(changes, from: "a", to: "b")
        #expect(report.work.map(\.effort) == [.server, .screen] && report.work.map(\.count) == [2, 1])
        #expect(report.verdict.count == 4 && report.verdict[0] == "Every id changes.", "\(report.verdict)")
        #expect(report.verdict[2].contains("b") && report.verdict[2].contains("a photo"), "\(report.verdict)")
        #expect(report.verdict[3].contains("ids") && !report.verdict[3].contains("checks"), "\(report.verdict)")
        #expect(MoveReport([], from: "a", to: "b").verdict.count == 1)
        for text in [report.text(), report.text(isWhole: false), report.markdown(), report.html()] {
            #expect(text.contains("Every id changes."))
        }
    }

    /// A remedy takes work, and a finding without a remedy takes none.
    @Test func effortMatchesTheRemedy() {
        let values = (Meaning.table + Capability.all.map { Meaning.of(capability: $0.rawValue) }).flatMap(\.values)
        let effects = values.map(\.effect) + Consequence.table.map(\.effect) + Move.effects
        #expect(effects.count > 200)
        for effect in effects where effect.action.isEmpty { #expect(effect.effort == .none, "\(effect)") }
        for effect in effects where effect.cost >= 50 { #expect(effect.effort != .none || effect.action.isEmpty, "\(effect)") }
    }

    /// The short report has the grave changes, and a command for the others.
    @Test func shortReportPrintsOnlyGraveChanges() {
        let changes = [(90, "grave"), (60, "serious"), (30, "small"), (5, "tiny")].map { cost, name in
            Change(
                kind: .declared, observation: name, before: "x", after: "y",
                effect: Effect(Cost(integerLiteral: cost), .line, "it is \(name)", "do it"), evidence: "e")
        }
        let report = MoveReport(changes, from: "a", to: "b")
        let (short, whole) = (report.text(isWhole: false), report.text())
        for name in ["grave", "serious"] { #expect(short.contains(name) && whole.contains(name)) }
        for name in ["small", "tiny"] { #expect(!short.contains(name) && whole.contains(name)) }
        #expect(short.contains("lockstep compare --from a --to b --all"))
    }

    /// A title is a sentence, in every report, whether the change was observed or declared.
    @Test func titlesAreSentences() async {
        let names = InMemoryHarness().variants.map(\.name)
        let harnesses = [OneVariant("a", variant: names[0]), OneVariant("b", variant: names[1])]
        let comparison = await Comparison.run(Journey.all, on: harnesses, triesEveryMove: true)
        #expect(comparison.directions.map { [$0.source.name, $0.target.name] } == [["a", "b"], ["b", "a"]])
        for change in comparison.directions.flatMap(\.changes) {
            #expect(change.title.last == "." && change.title.first?.isUppercase == true, "\(change.title)")
            #expect(!Journey.all.contains { change.title.hasPrefix("\($0.id): ") }, "\(change.title)")
        }
    }

    @Test(arguments: [
        ("refused: verificationRequired", "fails" as String?, "verificationRequired" as String?),
        ("signedOut(backendChanged), 0 requests", "signed out, 0 requests", "backendChanged"),
        ("ends at the next refresh, because the session was ended: signedOut(revoked)", nil, "revoked"),
        ("verify, no session", "asks for a verification, no session", nil), ("signedIn", "signed in", nil),
        ("user_ and 27 letters and digits", "user_ and 27 letters and digits", nil), ("", "", nil),
    ])
    func valuesAreWordsFirst(_ value: String, _ words: String?, _ code: String?) {
        let plain = PlainValue(value)
        #expect(plain.code == code && !plain.words.contains("signedOut("), "\(plain)")
        if let words { #expect(plain.words == words) }
    }
}
