import Foundation
import Testing

/// docs/emulator-internals.md: the files that it names exist, and its worked example compiles in each emulator.
@Suite("The page about the emulators' internals")
struct InternalsTests {
    private static let providers = ["GoTrue", "Firebase", "Clerk"]
    private static let rooms: Set<String> = ["Routes", "Rules", "Records", "Errors", "Settings", "Wire"]

    private static func page() throws -> String {
        try String(contentsOf: House.root.appendingPathComponent("docs/emulator-internals.md"), encoding: .utf8)
    }

    /// The rows of the table whose head begins with `title`, as the codes in their cells.
    private static func rows(below title: String, of page: String) -> [[Substring]] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.firstIndex(where: { $0.hasPrefix("| \(title)") }) else { return [] }
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in line.matches(of: /`([^`]+)`/).map(\.output.1) }
    }

    @Test("every emulator has the six folders, and Clerk its extensions")
    func emulatorsHaveTheSharedFolders() throws {
        for provider in Self.providers {
            let folder = House.root.appendingPathComponent("Adapters/\(provider)/Emulator")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let folders = Set(names.filter { !$0.hasSuffix(".swift") && !$0.hasSuffix(".docc") })
            #expect(folders == (provider == "Clerk" ? Self.rooms.union(["Extensions"]) : Self.rooms), "\(provider)")
            let files = Set(names.filter { $0.hasSuffix(".swift") })
            let expected =
                ["Emulator", "Administrator", "Administrator+Accounts"].map { provider + $0 + ".swift" } + ["ServerState.swift"]
            #expect(files.isSuperset(of: expected), "\(provider) lacks \(Set(expected).subtracting(files))")
        }
    }

    @Test("the core of Clerk's emulator knows extensions only by the type Extension")
    func coreKnowsExtensionsOnlyByTheirType() throws {
        let files = try House.files(below: ["Adapters/Clerk/Emulator"])
        let extensions = files.filter { $0.path.contains("/Extensions/") }
        let declaration = /^(?:(?:public|final|private|fileprivate) )*(?:struct|enum|class|protocol) (\w+)/
        let rule = /^    var (\w+): \w+ \{ \w+\(context: self\) \}/
        let lines = extensions.flatMap(\.lines)
        // The settings are one public value, and each rule that changes a row queues its event.
        let shared: Set = ["EnterpriseRules", "EnrollmentMode", "EventRecord"]
        let types = Set(lines.compactMap { $0.firstMatch(of: declaration) }.map { String($0.output.1) }).subtracting(shared)
        let rules = Set(lines.compactMap { $0.firstMatch(of: rule) }.map { "context." + $0.output.1 })
        #expect(types.isSuperset(of: ["EnterpriseConnectionRecord", "TemplateRecord", "Waitlist"]))
        #expect(rules.isSuperset(of: ["context.enterpriseFlow", "context.waitlist"]))
        for file in files where !file.path.contains("/Extensions/") && !file.path.hasSuffix("/Extension.swift") {
            for (text, line) in file.code {
                let code = text.replacing(/"[^"]*"/, with: "")
                let words = code.matches(of: /\w+/).map { String($0.output) }
                let calls = code.matches(of: /context\.\w+/).map { String($0.output) }
                for name in words.filter(types.contains) + calls.filter(rules.contains) {
                    Issue.record("\(file.path):\(line) names \(name), which belongs to an extension")
                }
            }
        }
    }

    @Test("endpoints are values, and their handlers are methods of …Routes types")
    func noEmulatorTypeIsAnEndpoint() throws {
        for file in try House.files(below: Self.providers.map { "Adapters/\($0)/Emulator" }) {
            for line in file.lines {
                let words = line.split(whereSeparator: { " :<({".contains($0) })
                guard let place = words.firstIndex(where: { ["struct", "class", "enum"].contains($0) }), place + 1 < words.count
                else { continue }
                #expect(!words[place + 1].hasSuffix("Endpoint"), "\(file.path): \(words[place + 1])")
                if words[place + 1].hasSuffix("Routes") {
                    #expect(file.path.contains("/Routes/") || file.path.contains("/Extensions/"), "\(file.path)")
                }
            }
        }
    }

    @Test("the files of the sign-up table exist in each emulator")
    func filesOfTheSignUpTableExist() throws {
        let rows = Self.rows(below: "step", of: try Self.page())
        #expect(rows.count == 7)
        for row in rows {
            try #require(row.count == 3)
            for (provider, file) in zip(Self.providers, row) {
                let path = House.root.appendingPathComponent("Adapters/\(provider)/Emulator/\(file).swift").path
                #expect(FileManager.default.fileExists(atPath: path), "\(provider): \(file)")
            }
        }
    }

    @Test("the worked example compiles in each emulator", arguments: providers)
    func exampleCompiles(_ provider: String) throws {
        let page = try Self.page()
        let words = Self.rows(below: "GoTrue |", of: page)
        try #require(words.count == 5 && words.allSatisfy { $0.count >= 3 })
        let blocks = page.matches(of: /`(?<file>\w+\/\w+\.swift)`\n\n```swift\n(?<text>(?s:.*?))```/)
        #expect(blocks.map { String($0.output.file) } == ["Records/Note.swift", "Rules/Notes.swift", "Routes/NoteRoutes.swift"])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-internals-\(provider)-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = try #require(Self.providers.firstIndex(of: provider))
        var files: [String] = []
        for block in blocks {
            let text = words.reduce(String(block.output.text)) { $0.replacingOccurrences(of: $1[0], with: $1[place]) }
            let file = folder.appendingPathComponent(String(block.output.file.split(separator: "/")[1]))
            try text.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
        }
        let emulator = try House.files(below: ["Adapters/\(provider)/Emulator"]).map {
            House.root.appendingPathComponent($0.path).path
        }
        let (status, output) = try Compiler.typeCheck(emulator + files, module: "Lockstep\(provider)Emulator")
        #expect(status == 0, "\(output.prefix(4000))")
    }
}
