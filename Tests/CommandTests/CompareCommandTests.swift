import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep compare", .limitedConcurrency)
struct CompareCommandTests {
    @Test func jsonHasOnlyTheDocumentedMembers() async throws {
        let run = try await Lockstep.run("compare", "--journeys", "sign-up,token", "--format", "json", "--no-contracts")
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSON.parse(Array(run.output.utf8))
        #expect(json["version"]?.int == 3)
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

    /// Every pair of providers: each row names its consequence and the source of its measurement, and the most expensive row
    /// comes first.
    @Test(arguments: [("firebase", "gotrue"), ("gotrue", "clerk"), ("clerk", "firebase")])
    func moveListsItsMostExpensiveChangesFirst(source: String, target: String) async throws {
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
            #expect(["none", "setting", "line", "screen", "server"].contains(change["effort"]?.string ?? ""), "\(change.text())")
            #expect(change["evidence"]?.string?.contains(target == "firebase" ? "“protected”" : "“hosted”") == true)
        }
        // The first questions of a person who moves, and the effects of a setting.
        let names = changes.compactMap { $0["step"]?.string }
        for name in ["A session that exists when the app switches", "id of a user", "issuer"] { #expect(names.contains(name)) }
        #expect(changes.contains { $0["settings"]?.array?.isEmpty == false })
    }

    /// A view of all providers makes no statement about a single pair.
    ///
    /// A statement about one other backend belongs to the report of a move.
    @Test func noTextListsAllProviders() async throws {
        let run = try await Lockstep.run(
            "compare", "--journeys", "ids-and-claims,server,token,change-email,passkey", "--format", "json", "--no-contracts")
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSON.parse(Array(run.output.utf8))
        let journeys = json["journeys"]?.array ?? []
        let differences = journeys.flatMap { $0["differences"]?.array ?? [] } + (json["declared"]?.array ?? [])
        let notes = differences.flatMap { $0["notes"]?.array ?? [] }.compactMap { $0["text"]?.string }
        #expect(notes.count > 10)
        for note in notes { #expect(!note.hasPrefix("Firebase, Supabase (GoTrue) and Clerk: "), "\(note)") }
        // Former mistakes of the journeys: no passkey was tried, and the code of a new device was read as the code of the
        // change.
        func seen(_ journey: String, _ provider: String, _ name: String) -> String? {
            let steps = journeys.first { $0["id"]?.string == journey }?["providers"]?[provider]?["steps"]?.array ?? []
            return steps.first { $0["name"]?.string == name }?["value"]?.string
        }
        #expect(seen("passkey", "gotrue", "sign in with the passkey") == "the same user")
        #expect(seen("change-email", "clerk", "messages") == "the new address: a code, no link")
    }

    /// The excerpts of docs/comparing.md match the command's output, except for sizes and times.
    @Test func pageShowsThePrintedOutput() async throws {
        func blocks(_ text: String) -> Set<String> {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let blocks = lines.filter { !$0.hasPrefix("   requests") }.split(whereSeparator: { $0.isEmpty || $0 == "```" })
            return Set(blocks.map { $0.joined(separator: "\n") })
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/comparing.md")
        let all = try await Lockstep.run("compare", "--no-contracts")
        let one = try await Lockstep.run("compare", "--journeys", "sign-up", "--no-contracts", "--verbose")
        let page = blocks(try String(contentsOf: file, encoding: .utf8))
        for start in ["What a move changes  ", "The most expensive differences\n", "Steps of each journey "] {
            let block = try #require(blocks(all.output).first { $0.hasPrefix(start) })
            let isShown = page.contains(block)
            #expect(isShown, "docs/comparing.md lacks:\n\(block)")
        }
        let block = try #require(blocks(one.output).first { $0.hasPrefix("1  ") })
        let isShown = page.contains(block)
        #expect(isShown, "docs/comparing.md lacks:\n\(block)")
    }

    /// Each file contains the whole report.
    ///
    /// The screen output stays the same.
    @Test func filesContainTheWholeReport() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let words = ["compare", "gotrue", "clerk", "--journeys", "sign-up", "--no-contracts"]
        let plain = try await Lockstep.run(words)
        let run = try await Lockstep.run(
            words + ["--json", folder + "/a.json", "--html", folder + "/a.html", "--markdown", folder + "/a.md"])
        #expect(run.status == 0 && run.output == plain.output, "\(run.errors)")
        func text(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
        #expect(try JSON.parse(Array(text("a.json").utf8))["journeys"]?.array?.count == 1)
        #expect(try text("a.html").contains("lockstep compare gotrue clerk") && text("a.md").contains("## 1. "))
        for path in [folder, folder + "/none/a.json"] {
            let refused = try await Lockstep.run(words + ["--json", path])
            #expect(refused.status == 2 && refused.output.isEmpty && refused.errors.contains("\"\(path)\""), "\(refused.errors)")
        }
    }

    /// The same options would print another thing, or nothing.
    @Test(arguments: [["--all"], ["--from", "firebase", "--to", "clerk", "--verbose"]])
    func refusesAnOptionOfTheOtherReport(_ words: [String]) async throws {
        let run = try await Lockstep.run(["compare"] + words)
        #expect(run.status == 2 && run.output.isEmpty, "\(run.output) \(run.errors)")
    }

    /// The first screen of a move is the answer, also in a terminal of 80 columns.
    @Test func moveFits80ColumnsAndPointsToTheRest() async throws {
        let words = ["compare", "--from", "firebase", "--to", "clerk"]
        let short = try await TerminalOutput.of(words, columns: 80)
        #expect(short.status == 0)
        for line in short.lines { #expect(line.count <= 80, "\(line)") }
        #expect(short.lines.contains { $0.contains("lockstep compare --from firebase --to clerk --all") })
        // The pager gets the whole report, and its output is what the terminal shows.
        let paged = try await TerminalOutput.of(words, columns: 80, variables: ["PAGER": "sed s/^/paged:/"])
        #expect(paged.lines.filter { $0.count > "paged:".count } == short.lines.filter { !$0.isEmpty }.map { "paged:" + $0 })
    }

    @Test func tableFits100ColumnsWithoutColor() async throws {
        let run = try await Lockstep.run("compare", "--journeys", "sign-in", "--no-contracts", "--verbose")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.output.contains("\u{1b}"))
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        #expect(run.output.contains("requests"))
        #expect(run.errors.isEmpty)
        // The file begins with the first screen. Without --verbose this is the whole output.
        let short = try await Lockstep.run("compare", "--journeys", "sign-in", "--no-contracts")
        #expect(short.output.split(separator: "\n").count < 24 && short.output.contains("--verbose"), "\(short.output)")
        #expect(run.output.hasPrefix(short.output.components(separatedBy: "\nTo see what a move ")[0]))
    }
}
