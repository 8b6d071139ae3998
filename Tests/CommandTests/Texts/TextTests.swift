import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepModels
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Every text that a person reads, in one file.
///
/// It follows the rules of plain English and matches the output.
///
/// `make texts` rewrites docs/texts.md.
@Suite("Texts for people", .limitedConcurrency)
struct TextTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let areas = [
        ("The command", ["Sources/LockstepCLI"]),
        (
            "Control routes",
            ["Sources/LockstepEmulation/Control", "Sources/LockstepEmulation/Guard", "Sources/LockstepEmulation/Seed"]
        ),
        ("Reports", ["Sources/LockstepComparison"]), ("Findings of doctor", ["Sources/LockstepDoctor"]),
    ]
    private static let words = "Sources/LockstepModels/Words/EnglishWords.swift"

    private static func source(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The texts of an area, without repetitions in a file.
    private static func texts(below folders: [String]) throws -> [SourceText] {
        try folders.flatMap { folder in
            let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.allObjects ?? []
            let paths = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
            return try paths.flatMap { path in
                var seen: Set<SourceText> = []
                return SourceText.all(in: try source("\(folder)/\(path)"), file: "\(folder)/\(path)").filter {
                    seen.insert($0).inserted
                }
            }
        }
    }

    private static func all() throws -> [SourceText] { try areas.flatMap { try texts(below: $0.1) } }

    private static func page() throws -> String {
        var lines = [
            "# Texts", "",
            "This page lists every text of the command, the control routes and the reports, and the app texts of `AuthStrings`.",
            "`make texts` writes this page. A test checks that each sentence has at most 20 words and no forbidden phrase.",
        ]
        for (title, folders) in areas {
            lines += ["", "## \(title)"]
            var file = ""
            for text in try texts(below: folders) {
                if text.file != file {
                    file = text.file
                    lines += ["", "### \(file.split(separator: "/").suffix(2).joined(separator: "/"))", ""]
                }
                lines.append("- \(text.text)")
            }
        }
        lines += ["", "## Words of an app", "", "| key | text |", "|---|---|"]
        lines += AuthStrings.catalog.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func thePageHasEveryText() throws {
        let page = try Self.page()
        let file = Self.root.appendingPathComponent("docs/texts.md")
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        let isNew = try String(contentsOf: file, encoding: .utf8) == page
        #expect(isNew, "docs/texts.md is old: make texts")
        #expect(page.split(separator: "\n").count > 800)
    }

    // MARK: Rules

    /// Turns that read like a translation, each with a plain one.
    private static let turns: [(turn: String, plain: String)] = [
        (#"is none\b|\bis not one\b|\bare none\b"#, "an adjective, or expected …"),
        (#"\btakes\b|\btaken\b"#, "accepts"), (#"\btells\b|\btold\b"#, "reports, shows"),
        (#"\bleads? to\b|\bled to\b"#, "opens, returns"), (#"what it names"#, "the file, the option"),
        (#"\bwhere (it|there|one|they|that)\b"#, "if, when"), (#"\bgo(es)? on\b"#, "continue"),
        (#"\bat once\b"#, "immediately"), (#"\bby itself\b"#, "automatically"), (#"\bof its own\b"#, "its own"),
        (#"\ball the same\b"#, "anyway"), (#"\bfor ever\b"#, "forever"), (#"\bround trip\b"#, "redirect"),
        (#"\bproofs?\b|\bprove[ns]?\b"#, "verification, verify"), (#"\brefuse[sd]?\b(?!:)|\brefusal\b"#, "reject, error"),
        (#"\bany more\b"#, "no longer"), (#"\bmakes? (an account|a user)\b"#, "creates"), (#"\bmisspelt\b"#, "mistyped"),
    ]

    private static func faults(of text: SourceText) throws -> [String] {
        let long = text.sentences.filter { sentence in
            sentence.split(separator: " ").count { $0.contains(where: \.isLetter) } > 20
        }
        let prose = text.sentences.joined(separator: " ")
        let turns = try Self.turns.filter { try prose.contains(Regex($0.turn).ignoresCase()) }
        return long.map { "more than 20 words: \($0)" } + turns.map { "write \($0.plain): \(text.text)" }
    }

    @Test func noTextBreaksAStyleRule() throws {
        let words = AuthStrings.catalog.map { SourceText(file: Self.words, text: $0.value) }
        for text in try Self.all() + words {
            for fault in try Self.faults(of: text) { Issue.record("\(text.file): \(fault)") }
        }
    }

    /// Each rule finds its example.
    @Test(arguments: [
        "--port takes a number from 0 to 65535, and abc is not one.", "The session has ended: what it names is none.",
        "You can go on with it at once.", "A sign-up leads to a step where it is needed.",
        "One two three four five six seven eight nine ten eleven twelve one two three four five six seven eight nine.",
    ]) func eachStyleRuleFindsItsExample(_ text: String) throws {
        #expect(try !Self.faults(of: SourceText(file: "", text: text)).isEmpty)
        #expect(try Self.faults(of: SourceText(file: "", text: "Too many attempts. Wait a moment and try again.")).isEmpty)
    }

    // MARK: Output

    /// Whether the output begins with a text of the page.
    private static func isOnThePage(_ printed: Substring, _ texts: [SourceText]) -> Bool {
        texts.contains { text in
            text.pieces.reduce(0) { $0 + $1.count } > 8 && text.isPrinted(at: printed)
        }
    }

    @Test func theCommandsErrorsAreOnThePage() async throws {
        let lines = [
            ["comparr"], ["compare", "--nothing"], ["compare", "--from", "clerk"],
            ["compare", "--from", "clerk", "--to", "clerk"],
            ["serve", "--port", "abc"], ["serve", "gotru"], ["serve", "--env", "/nowhere"],
            ["serve", "gotrue", "--mode", "strict"],
            ["contracts", "--only", "nothing"], ["contracts", "--shuffle", "x"], ["contracts", "--server", "x"],
            ["contracts", "firebase", "--server", "x"], ["exec"], ["try", "--url", "http://127.0.0.1:1"], ["wait", "x"],
            ["help", "a", "b"], ["compare", "--json", "/"],
        ]
        let texts = try Self.texts(below: ["Sources/LockstepCLI"])
        for words in lines {
            let run = try await Lockstep.run(words)
            let line = run.errors.dropFirst("lockstep: ".count)
            let isThere = run.status == 2 && Self.isOnThePage(line, texts)
            #expect(isThere, "\(words): \(run.status) \(run.errors)")
        }
    }

    /// Words of help that are not an option, a placeholder or a list of names are texts of the page.
    @Test(arguments: ["compare", "contracts", "serve", "exec", "status", "wait", "try"])
    func helpIsOnThePage(_ command: String) async throws {
        let page = try await Lockstep.run("help", command).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let pieces = try Self.texts(below: ["Sources/LockstepCLI"]).flatMap(\.pieces).sorted { $0.count > $1.count }
        var rest = page
        for piece in pieces where piece.count > 6 { rest = rest.replacing(piece, with: " | ") }
        // Five words in a row are a sentence that the page lacks.
        let sentence = rest.firstMatch(of: /(?:[a-z]{2,} ){5}/)
        #expect(sentence == nil && rest.count < page.count / 2, "\(rest)")
    }

    @Test func errorsOfControlRoutesAreOnThePage() async throws {
        let texts = try Self.texts(below: ["Sources/LockstepEmulation/Control", "Sources/LockstepEmulation/Guard"])
        _ = try await ServerProcess.serving(["gotrue"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            let key = try #require(lines.first?["control"]?["Authorization"]?.string)
            let transport = CurlTransport()
            for (path, headers) in [
                ("/nothing", ["Authorization": key]), ("/users", [:]), ("/users/nobody", ["Authorization": key]),
                ("/users?limit=x", ["Authorization": key]), ("/faults/nothing", ["Authorization": key]),
                ("/messages", ["Origin": "https://example.com"]),
            ] as [(String, HTTPHeaders)] {
                let response = try await transport.send(HTTPRequest(.get, "\(base)/__lockstep\(path)", headers: headers))
                let error = try #require(try response.json()["error"]?.string, "\(path)")
                let isThere = !response.isSuccess && Self.isOnThePage(error[...], texts)
                #expect(isThere, "\(path): \(error)")
            }
        }
    }
}
