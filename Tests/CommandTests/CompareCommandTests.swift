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
        #expect(json["version"]?.int == 1)
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
        #expect(costs == costs.sorted(by: >) && costs.count == changes.count && costs.count > 15)
        for change in changes {
            #expect(change["before"] != change["after"] || change["journey"] == "move", "\(change.text())")
            #expect(change["consequence"]?.string?.isEmpty == false)
            #expect(change["evidence"]?.string?.contains(target == "firebase" ? "“protected”" : "“hosted”") == true)
        }
        // What a person who moves asks first, and what a setting changes.
        let names = changes.compactMap { $0["step"]?.string }
        for name in ["A session that exists when the app switches", "id of a user", "issuer"] { #expect(names.contains(name)) }
        #expect(changes.contains { $0["settings"]?.array?.isEmpty == false })
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
