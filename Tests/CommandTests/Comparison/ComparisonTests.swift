import Foundation
import LockstepContracts
import LockstepCrypto
import LockstepInMemoryHarness
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepComparison

@Suite("A comparison", .limitedConcurrency)
struct ComparisonTests {
    private static let names = InMemoryHarness().variants.map(\.name)

    private static func compared() async -> Comparison { await shared.value }

    /// Computed once for all tests.
    private static let shared = Task {
        await Comparison.run(Journey.all, on: names.prefix(2).map { OneVariant($0, variant: $0) })
    }

    @Test func onlyDifferencesAreReported() async {
        let comparison = await Self.compared()
        #expect(comparison.problems.isEmpty, "\(comparison.problems)")
        let differences = comparison.rows.flatMap(\.differences)
        #expect(!differences.isEmpty)
        for difference in differences {
            #expect(Set(difference.values.values).count > 1)
            #expect(!difference.notes.isEmpty)
        }
        let same = await Comparison.run(
            Journey.all, on: [OneVariant("a", variant: Self.names[0]), OneVariant("b", variant: Self.names[0])])
        // Values such as the ids of a conflict differ from run to run. The report must not.
        #expect(same.rows.flatMap(\.differences).isEmpty, "\(same.rows.flatMap(\.differences))")
        #expect(same.changes(from: "a", to: "b").isEmpty)
    }

    @Test func everyFormatContainsEveryJourney() async throws {
        let comparison = await Self.compared()
        let table = comparison.table(width: 100)
        for line in table.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        for journey in Journey.all {
            #expect(table.contains(journey.title))
            #expect(comparison.markdown.contains(journey.title))
            #expect(comparison.html.contains(journey.title))
        }
        let json = try JSON.parse(JSON.object(comparison.json).bytes())
        #expect(json["journeys"]?.array?.count == Journey.all.count)
        #expect(!comparison.html.contains("<script"))
    }

    @Test func mostExpensiveChangesComeFirst() async {
        let comparison = await Self.compared()
        let changes = comparison.changes(from: Self.names[0], to: Self.names[1])
        let costs = changes.filter(\.isDifference).map(\.effect.cost)
        #expect(costs == costs.sorted(by: >) && !costs.isEmpty)
        #expect(changes.prefix(costs.count).allSatisfy { $0.isDifference })
        let order = ["safety", "flow", "screen", "notice"]
        let weights = changes.prefix(costs.count).compactMap { order.firstIndex(of: $0.weight) }
        #expect(weights == weights.sorted() && weights.count == costs.count)
        for change in changes {
            #expect(!change.effect.consequence.isEmpty && !change.evidence.isEmpty, "\(change)")
            // A word of the old report that reads like a bug.
            #expect(!change.effect.consequence.hasPrefix("no longer"), "\(change)")
        }
    }

    /// The installed app, with one store: the switch sends nothing to either backend, and the way back is open.
    @Test func moveTestsTheSwitchAndNamesSettings() async throws {
        let harnesses = [OneVariant("a", variant: Self.names[0]), OneVariant("b")]
        let comparison = await Comparison.run(Journey.all.filter { $0.id == "sign-up" }, on: harnesses, isMove: true)
        #expect(comparison.problems.isEmpty, "\(comparison.problems)")
        let changes = comparison.changes(from: "a", to: "b")
        let existing = try #require(changes.first { $0.kind == .move })
        #expect(existing.before == "signedIn" && existing.after == "signedOut(backendChanged), 0 requests")
        #expect(changes.first { $0.kind == .wayBack }?.after == "signedIn")
        // The further configurations of b change the fields that a sign-up asks for.
        #expect(changes.contains { $0.settings.contains { $0.provider == "b" && $0.variant == "automatic" } }, "\(changes)")
    }

    /// Every report contains a new statement of `ProviderBehavior`, with or without its own text.
    @Test func everyFormatContainsEveryDeclaredDifference() async throws {
        let capabilities = Capability.all.map { "can:\($0.rawValue)" } + ["can:somethingNew"]
        for (statement, before, after) in ProviderBehavior().statements.map({ ($0.name, "oneValue", "anotherValue") })
            + [("somethingNewThatDiffers", "oneValue", "anotherValue")] + capabilities.map({ ($0, "yes", "no") })
            + capabilities.map({ ($0, "no", "yes") })
        {
            let comparison = Comparison.declaring(statement, before, after)
            let changes = comparison.changes(from: "a", to: "b")
            let change = try #require(changes.first, "\(statement)")
            #expect(!change.effect.consequence.isEmpty && change.before != change.after && change.kind == .declared)
            let title = try #require(comparison.declaredDifferences.first?.observation)
            let json = comparison.json(from: "a", to: "b")["changes"]?.array?.first
            if after == "yes" {
                #expect(change.after == title && json?["after"]?.string == title)
            } else {
                #expect(change.observation == title && json?["step"]?.string == title)
            }
            #expect(json?["consequence"]?.string == change.effect.consequence)
            #expect(MoveReport(changes, from: "a", to: "b").text(width: 400).contains(title))
            #expect(MoveReport(changes, from: "a", to: "b").markdown().contains(title.escapedLikeMarkdown))
            #expect(MoveReport(changes, from: "a", to: "b").html().contains(title))
            #expect(comparison.table(width: 400).contains(title) && comparison.html.contains(title))
            #expect(comparison.markdown.contains(title.escapedLikeMarkdown))
            #expect(comparison.json["declared"]?.array?.first?["step"]?.string == title)
        }
    }

    /// A declared difference that journeys also observe is one row, in the declared words, with the observation.
    @Test func declaredRowKeepsItsTextWithJourneys() async throws {
        let harnesses = [OneVariant("a", variant: Self.names[0]), OneVariant("b", variant: Self.names[1])]
        let comparison = await Comparison.run(Journey.all, on: harnesses, isMove: true)
        for (from, to) in [("a", "b"), ("b", "a")] {
            let changes = comparison.changes(from: from, to: to)
            let gains = changes.first { $0.observation == "New capabilities" }
            for difference in comparison.declaredDifferences {
                let change = changes.first { $0.kind == .declared && $0.observation == difference.observation }
                if let change {
                    #expect(change.before == difference.values[from] && change.after == difference.values[to], "\(change)")
                } else {
                    #expect(gains?.after.contains(difference.observation) == true, "\(difference.observation) is missing")
                }
            }
            #expect(changes.contains { $0.kind == .declared && $0.journey != nil && !$0.seen.isEmpty })
        }
    }

    /// Two neighboring rows of different weight have different titles.
    ///
    /// Otherwise a reader would take the second for the first.
    @Test func noNeighborsOfDifferentWeightShareATitle() async {
        let comparison = await Self.compared()
        let changes = comparison.changes(from: Self.names[0], to: Self.names[1])
        for (left, right) in zip(changes, changes.dropFirst()) where left.weight != right.weight {
            #expect((left.journey, left.observation) != (right.journey, right.observation), "\(left)")
        }
        let titles = changes.map { "\($0.kind == .journey ? $0.journey ?? "" : "") \($0.observation)" }
        #expect(Set(titles).count == titles.count)
    }

    /// The report does not advise a call that the new backend rejects.
    @Test func adviceNamesNoCallThatTheTargetRejects() throws {
        for (answer, advises) in [("yes", true), ("no", false)] {
            let statements = [("a", "credentialChanged"), ("b", "goesOn")].map { provider, value in
                (
                    provider,
                    [
                        Configuration(
                            name: "first", summary: "as it begins",
                            statements: [.init("sessionsAfterPasswordChange", value), .init("can:signOutOthers", answer)])
                    ]
                )
            }
            let comparison = Comparison(declaring: statements)
            let change = try #require(comparison.changes(from: "a", to: "b").first)
            #expect((change.effect.call == "try await auth.signOut(.others)") == advises, "\(change)")
            #expect(advises || change.effect.action.contains("your server"), "\(change)")
            let note = try #require(comparison.declaredDifferences.first?.notes.first { $0.text.hasPrefix("b: ") })
            #expect((note.call != nil) == advises, "\(note)")
        }
    }

    /// Differences of settings and the way back are not differences of the move.
    ///
    /// They have separate lists.
    @Test func settingsAndTheWayBackAreNotCountedAsDifferences() throws {
        let configurations = [
            Configuration(name: "first", summary: "as it begins", statements: [.init("newDevice", "trusted")]),
            Configuration(name: "other", summary: "with a setting", statements: [.init("newDevice", "asksForCode")]),
        ]
        let comparison = Comparison(declaring: [("a", configurations), ("b", configurations)])
        let changes = comparison.changes(from: "a", to: "b")
        #expect(changes.map(\.kind) == [.setting])
        let report = comparison.report(from: "a", to: "b")
        #expect(report.differences.isEmpty && report.settings.map { $0.settings.map(\.variant) } == [["other"], ["other"]])
        // Every format contains each setting once, in one table.
        for text in [report.text(), report.markdown(), report.html()] {
            #expect(text.components(separatedBy: "with a setting").count == 3, "\(text)")
            #expect(text.contains(MoveReport.settingsTitle))
        }
        let json = comparison.json(from: "a", to: "b")
        #expect(json["changes"]?.array?.isEmpty == true && json["bySetting"]?.array?.count == 1)
        let back = Self.change("back", "signedIn", "signedIn", "x", kind: .wayBack)
        let all = [Self.change("a", "b", "c", "d"), back]
        let both = MoveReport(all, from: "a", to: "b")
        #expect(both.differences.count == 1 && both.wayBack.count == 1 && both.legend.map(\.count).reduce(0, +) == 1)
        for text in [both.text(), both.html(), both.markdown()] { #expect(text.contains(MoveReport.wayBackTitle)) }
    }

    /// Every value that can be declared has a text, a cost and a consequence.
    @Test func everyDeclaredValueHasAConsequence() {
        for child in Mirror(reflecting: ProviderBehavior()).children {
            guard let name = child.label, let values = Self.values(of: child.value) else { continue }
            for value in values {
                let other = values.first { $0 != value } ?? ""
                let change = Comparison.declaring(name, other, value).changes(from: "a", to: "b").first
                #expect(change?.effect.cost != 20, "\(name) \(value) has no row in Meaning.table")
            }
        }
    }

    private static func values(of value: Any) -> [String]? {
        func all<Value: CaseIterable>(_ type: Value.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any RawRepresentable<String>)?.rawValue }
        }
        guard let type = Swift.type(of: value) as? any CaseIterable.Type else { return nil }
        return all(type)
    }

    private static func change(
        _ name: String, _ before: String, _ after: String, _ evidence: String, kind: Change.Kind = .journey
    ) -> Change {
        Change(
            kind: kind, journey: "x", observation: name, before: before, after: after,
            effect: Effect(1, .line, evidence, evidence, call: evidence), evidence: evidence,
            settings: [Setting(provider: "p", variant: "v", summary: evidence, subject: evidence, words: evidence)])
    }

    /// The page contains its style, fits the width of the screen, and loads nothing.
    @Test func thePageOfAMoveHasItsStyle() {
        let page = MoveReport([Self.change("a", "b", "c", "d")], from: "a", to: "b").html()
        #expect(page.contains("name=\"viewport\" content=\"width=device-width") && page.contains("<style>"))
        #expect(!page.contains("http:") && !page.contains("https:"))
    }

    /// Without a script, the page of a move shows everything, its filters work, and it has no button that needs one.
    @Test func thePageOfAMoveAllowsOnlyItsOwnScript() throws {
        let page = MoveReport([Self.change("<script>a", "b", "c", "d")], from: "a", to: "b").html()
        let script = try #require(page.components(separatedBy: "<script>").last?.components(separatedBy: "</script>").first)
        let digest = Data(HashFunction.sha256.digest(Array(script.utf8))).base64EncodedString()
        #expect(page.contains("; script-src 'sha256-\(digest)'\""), "the digest of the script is \(digest)")
        #expect(page.components(separatedBy: "<script").count == 2 && page.contains("<button id=\"copy\" hidden>"))
        let finding = try #require(page.components(separatedBy: "<details ").dropFirst().first)
        #expect(finding.contains("id=\"script-a\"") || finding.contains("id=\"x-script-a\""), "\(finding)")
        #expect(finding.contains("data-plan=") && page.contains("class=\"show-notice\" checked"))
    }

    /// The page of a move has one script, which its policy names; the others have none.
    @Test func pagesNameTheirOriginAndAllowNoOtherScript() async throws {
        let origin = ReportOrigin(
            release: "lockstep 9.8.7", commandLine: "lockstep compare --html '<b>'",
            date: Instant(milliseconds: 1_763_731_949_120))
        let comparison = await Self.compared()
        let contracts = await ContractReport.run(
            Array(Catalog.all.prefix(2)), on: [OneVariant("a", variant: Self.names[0])])
        let pages = [
            comparison.html(with: contracts, from: origin), contracts.html(from: origin),
            comparison.report(from: Self.names[0], to: Self.names[1]).html(from: origin),
        ]
        for page in pages {
            #expect(page.contains("lockstep 9.8.7, 2025-11-21 13:32 UTC"), "\(page.prefix(3000))")
            #expect(page.contains("lockstep compare --html '&lt;b&gt;'"))
            let policy = page.components(separatedBy: "http-equiv=\"Content-Security-Policy\" content=\"").last?.prefix {
                $0 != "\""
            }
            #expect(policy?.contains("default-src 'none'") == true && policy?.contains("script-src") == page.contains("<script>"))
            #expect(policy?.contains("script-src 'unsafe-inline'") == false)
            #expect(page.contains("prefers-color-scheme: dark") && page.contains("<nav>"))
            // Each entry of the table of contents has its section, and each section its entry.
            let contents = page.components(separatedBy: "<nav>").last?.components(separatedBy: "</nav>").first ?? ""
            let links = contents.components(separatedBy: "<a href=\"#").dropFirst().map { $0.prefix { $0 != "\"" } }
            let sections = page.components(separatedBy: "<section id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            #expect(links == sections && links.count > 1)
        }
    }

    /// The first screen has a row for each journey, and at most five differences.
    @Test func summaryFitsOneScreen() async {
        let comparison = await Self.compared()
        let summary = comparison.summary(width: 80)
        let lines = summary.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 45 && lines.allSatisfy { $0.count <= 80 }, "\(summary)")
        #expect(lines.count { line in Journey.all.contains { line.hasPrefix("   \($0.id) ") } } == Journey.all.count)
        let weights = lines.compactMap { line in ["safety", "flow", "screen", "notice"].first { line.hasPrefix("   \($0) ") } }
        #expect(weights.count == 5, "\(summary)")
        let order = ["safety", "flow", "screen", "notice"]
        #expect(weights.map { order.firstIndex(of: $0) ?? 9 } == weights.map { order.firstIndex(of: $0) ?? 9 }.sorted())
        let same = await Comparison.run(
            Array(Journey.all.prefix(2)), on: [OneVariant("a", variant: Self.names[0]), OneVariant("b", variant: Self.names[0])])
        #expect(same.summary().firstMatch(of: /[0-9] of [0-9]/) == nil, "\(same.summary())")
    }

    /// A terminal shows blanks beyond its last column as an empty line.
    @Test(arguments: [80, 100]) func coloredLinesFitTheTerminal(_ width: Int) async {
        let harnesses = zip(["Firebase", "Supabase (GoTrue)", "Clerk"], Self.names).map { OneVariant($0, variant: $1) }
        let comparison = await Comparison.run(Array(Journey.all.prefix(5)), on: harnesses)
        let report = await ContractReport.run(Array(Catalog.all.prefix(20)), on: harnesses)
        let move = MoveReport([Self.change("a", "b", "c", "d")], from: "Firebase", to: "Clerk")
        let texts = [
            comparison.summary(width: width, paint: .terminal), comparison.table(width: width, paint: .terminal),
            report.text(width: width, isVerbose: true, paint: .terminal), move.text(width: width, paint: .terminal),
        ]
        for line in texts.flatMap({ $0.split(separator: "\n") }) {
            let shown = line.replacing(/\u{1B}\[[0-9]+m/, with: "")
            #expect(shown.count <= width && shown.last != " ", "\(shown)")
        }
    }

    @Test func markupCharactersAreEscaped() {
        let change = Self.change("<b>", "a|b", "&", "\"")
        #expect(MoveReport([change], from: "a", to: "b").html().contains("&lt;b&gt;"))
        #expect(MoveReport([change], from: "a", to: "b").markdown().contains("a\\|b"))
    }

    @Test func invisibleCharactersAreEscaped() {
        let name = "A\u{1b}[2J\u{9b}31m\u{202e}nimda\u{2066}\u{200b}\u{2028}\r\n| [x](javascript:alert(1)) `c` <img src=x>"
        let change = Self.change(name, name, name, name)
        let report = MoveReport([change], from: name, to: name, variants: [name])
        let origin = ReportOrigin(release: name, commandLine: name, date: Instant(milliseconds: 0))
        let texts = [report.text(), report.markdown(from: origin), report.html(from: origin)]
        for text in texts {
            #expect(text.unicodeScalars.allSatisfy { !$0.isInvisible || $0 == "\n" }, "\(text.debugDescription)")
            #expect(text.contains("\\u{1B}") || text.contains("\\\\u{1B}"))
        }
        // One row of the table, without a link, code or an element.
        #expect(texts[1].split(separator: "\n").count(where: { $0.hasPrefix("| notice") }) == 1, "\(texts[1])")
        #expect(!texts[1].contains(" [x]") && !texts[1].contains("<img"))
        #expect(!texts[2].contains("<img"))
        // A text of a backend is not code either.
        var values = change
        values.effect = Effect(1, .none, "nothing")
        values.settings = []
        #expect(!MoveReport([values], from: "a", to: "b").markdown().contains(" `c`"))
        #expect(!MoveReport([values], from: "a", to: "b").html().contains("<code>"))
    }

    /// Text between backticks is code.
    ///
    /// A single backtick is text.
    @Test func codeInASentenceIsMarkedAsCode() {
        var change = Self.change("a", "b", "c", "d")
        change.effect = Effect(1, .line, "read `challenge.accepts` | <b>", "one ` alone", call: "if a || b { c() }")
        let report = MoveReport([change], from: "a", to: "b")
        let (markdown, html) = (report.markdown(), report.html())
        #expect(markdown.contains("| Read `challenge.accepts` \\| &lt;b&gt;. |") && markdown.contains("one \\` alone"))
        #expect(markdown.contains("`if a \\|\\| b { c() }`"))
        #expect(html.contains("Read <code>challenge.accepts</code> | &lt;b&gt;") && html.contains("One ` alone"))
        #expect(html.contains("<code class=\"call\">if a || b { c() }</code>"))
    }
}

extension Comparison {
    fileprivate static func declaring(_ name: String, _ before: String, _ after: String) -> Comparison {
        Comparison(
            declaring: [("a", before), ("b", after)].map { provider, value in
                (provider, [Configuration(name: "first", summary: "as it begins", statements: [.init(name, value)])])
            })
    }
}

extension String {
    fileprivate var escapedLikeMarkdown: String { replacing("`", with: "\\`") }
}
