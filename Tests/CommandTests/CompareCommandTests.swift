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

    @Test func aMoveTellsOnlyWhatChangesWorstFirst() async throws {
        let run = try await Lockstep.run(
            "compare", "--journeys", "sign-up", "--from", "firebase", "--to", "gotrue", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        let changes = try #require(try JSON.parse(Array(run.output.utf8))["changes"]?.array)
        #expect(!changes.isEmpty)
        let order = ["safety", "flow", "screen", "notice"]
        let weights = changes.compactMap { $0["weight"]?.string.flatMap { order.firstIndex(of: $0) } }
        #expect(weights == weights.sorted())
        for change in changes {
            #expect(change["before"] != change["after"])
            #expect(change["advice"]?.string?.isEmpty == false)
        }
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
