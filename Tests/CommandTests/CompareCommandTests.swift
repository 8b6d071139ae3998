import Foundation
import LockstepPrimitives
import Testing

@Suite("lockstep compare")
struct CompareCommandTests {
    /// Cases: K01.
    @Test func itsJSONHasWhatProgramsReadAndNothingBesides() async throws {
        let run = try await Lockstep.run("compare", "--journeys", "sign-up,token", "--format", "json", "--no-promises")
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSON.parse(Array(run.output.utf8))
        #expect(json["version"]?.int == 2)
        #expect(json["providers"]?.array == ["firebase", "gotrue", "clerk"])
        let journeys = try #require(json["journeys"]?.array)
        #expect(journeys.compactMap { $0["id"]?.string } == ["sign-up", "token"])
        for journey in journeys {
            for provider in ["firebase", "gotrue", "clerk"] {
                let seen = try #require(journey["providers"]?[provider])
                #expect(seen["problem"] == .null, "\(provider): \(seen.text())")
                #expect((seen["requests"]?.int ?? 0) > 0)
                #expect((seen["bytes"]?["up"]?.int ?? 0) > 0)
                #expect(seen["state"]?.string != nil)
                #expect((seen["steps"]?.array ?? []).count > 3)
            }
        }
        let token = try #require(journeys.last)
        for provider in ["firebase", "gotrue", "clerk"] {
            let steps = token["providers"]?[provider]?["steps"]?.array ?? []
            let expired = steps.first { $0["name"]?.string == "expired: 100 callers" }
            #expect(expired?["value"]?.string == "one token for all")
            #expect(expired?["requests"]?.int == 1)
            for trouble in ["offline", "429", "a captive portal's HTML"] {
                let seen = steps.first { $0["name"]?.string == "expired: \(trouble)" }?["value"]?.string
                #expect(seen?.hasSuffix("signedIn") == true, "\(provider) \(trouble): \(seen ?? "not seen")")
            }
        }
    }

    /// Every pair of providers: each row has its consequence, what it was measured in, and the dearest comes first.
    @Test(arguments: [("firebase", "gotrue"), ("gotrue", "clerk"), ("clerk", "firebase")])
    func aMoveTellsWhatItCosts(source: String, target: String) async throws {
        let run = try await Lockstep.run(
            "compare", "--journeys", "sign-up,change-password,ids-and-claims,server", "--from", source, "--to", target,
            "--format",
            "json")
        #expect(run.status == 0, "\(run.errors)")
        let changes = try #require(try JSON.parse(Array(run.output.utf8))["changes"]?.array)
        let costs = changes.compactMap { $0["cost"]?.int }
        #expect(costs == costs.sorted(by: >) && costs.count == changes.count && costs.count > 12)
        for change in changes {
            #expect(change["before"] != change["after"], "\(change.text())")
            #expect(change["consequence"]?.string?.isEmpty == false)
            #expect(change["evidence"]?.string?.contains(target == "firebase" ? "“protected”" : "“hosted”") == true)
        }
        // What a person who moves asks first, and what a setting changes.
        let names = changes.compactMap { $0["step"]?.string }
        for name in ["A session that exists when the app switches", "id of a user", "issuer"] { #expect(names.contains(name)) }
        #expect(changes.contains { $0["settings"]?.array?.isEmpty == false })
    }

    /// A view of all providers says nothing of all of them: what is true beside another backend only is told of a move.
    @Test func noSentenceNamesAllProviders() async throws {
        let run = try await Lockstep.run(
            "compare", "--journeys", "ids-and-claims,server,token,change-email,passkey", "--format", "json", "--no-promises")
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSON.parse(Array(run.output.utf8))
        let journeys = json["journeys"]?.array ?? []
        let differences = journeys.flatMap { $0["differences"]?.array ?? [] } + (json["declared"]?.array ?? [])
        let notes = differences.flatMap { $0["notes"]?.array ?? [] }.compactMap { $0["text"]?.string }
        #expect(notes.count > 10)
        for note in notes { #expect(!note.hasPrefix("firebase, gotrue and clerk: "), "\(note)") }
        // What the journeys once got wrong: no passkey was tried, and the code of a new device was taken for one of the change.
        func seen(_ journey: String, _ provider: String, _ name: String) -> String? {
            let steps = journeys.first { $0["id"]?.string == journey }?["providers"]?[provider]?["steps"]?.array ?? []
            return steps.first { $0["name"]?.string == name }?["value"]?.string
        }
        #expect(seen("passkey", "gotrue", "sign with it") == "the same user")
        #expect(seen("change-email", "clerk", "messages") == "the new address: one with a code")
    }

    /// README's example is what the command prints, but for sizes and times.
    @Test func theReadmeShowsWhatIsPrinted() async throws {
        func block(_ text: String) -> [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("1  ") }.prefix {
                !$0.isEmpty && $0 != "```"
            }
            .filter { !$0.hasPrefix("   requests") }
        }
        let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("README.md")
        let run = try await Lockstep.run("compare", "--journeys", "sign-up", "--no-promises")
        let shown = block(try String(contentsOf: readme, encoding: .utf8))
        #expect(shown.count > 15 && shown == block(run.output))
    }

    /// Cases: K02.
    @Test func theTableFitsATerminalOfAHundredColumnsWithoutColour() async throws {
        let run = try await Lockstep.run("compare", "--journeys", "sign-in", "--no-promises")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.output.contains("\u{1b}"))
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        #expect(run.output.contains("requests"))
        #expect(run.errors.isEmpty)
    }
}
