import Foundation
import Testing

/// What docs/design.md names is there.
@Suite("The page of the design")
struct DesignTests {
    private static let page = Result {
        try String(contentsOf: House.root.appendingPathComponent("docs/design.md"), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: House.root.appendingPathComponent(path).path)
    }

    /// The lists of the files on a request's way: slanted the kernel's, as code the emulator's, and how many they are.
    @Test func theWayOfARequestNamesFilesThatExist() throws {
        let page = try Self.page.get()
        let head = /`POST [^`]*` of (?<provider>\w+)[^:]*: (?<all>\d+) files, (?<own>\d+) of them the emulator's\./
        var providers: [Substring] = []
        for paragraph in page.split(separator: "\n\n") {
            guard let counts = paragraph.prefixMatch(of: head)?.output else { continue }
            providers.append(counts.provider)
            let shared = paragraph.matches(of: /\*(\w+\/[\w+]+)\*/).map(\.output.1)
            let own = paragraph.matches(of: /`(\w+\/[\w+]+)`/).map(\.output.1)
            #expect(Int(counts.all) == shared.count + own.count && Int(counts.own) == own.count, "\(counts.provider)")
            for file in shared { #expect(Self.exists("Sources/LockstepEmulation/\(file).swift"), "\(counts.provider): \(file)") }
            for file in own {
                #expect(Self.exists("Adapters/\(counts.provider)/Emulator/\(file).swift"), "\(counts.provider): \(file)")
            }
        }
        #expect(providers == ["GoTrue", "Clerk", "Firebase"])
    }

    /// The drawings of docs/sessions.md have the stages of an operation, all of them and no others.
    @Test func theStagesOfAnOperationAreDrawn() throws {
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/sessions.md"), encoding: .utf8)
        let drawings = page.components(separatedBy: "```mermaid").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let operations = drawings.filter { $0.contains("starting") }
        let drawn = Set(operations.flatMap { $0.matches(of: /\b(\w+) -->|--> (\w+)/).compactMap { $0.output.1 ?? $0.output.2 } })
        let file = try #require(
            try House.files(below: ["Sources/Lockstep/Session/Machine"]).first { $0.path.hasSuffix("/SessionOperation.swift") })
        let stages = file.lines.drop { !$0.contains("enum Stage") }.dropFirst().prefix { $0 != "    }" }
        let names = Set(stages.compactMap { $0.firstMatch(of: /case (\w+)/)?.output.1 })
        #expect(names.count > 10 && drawn == names)
    }

    /// The list of the Makefile's targets is the Makefile's.
    @Test func theMakefilesTargetsAreNamed() throws {
        let page = try Self.page.get()
        let line = page.split(separator: "\n").first { $0.hasPrefix("Makefile ") } ?? ""
        let named = Set(line.dropFirst("Makefile".count).split(whereSeparator: { " |".contains($0) }))
        let makefile = try String(contentsOf: House.root.appendingPathComponent("Makefile"), encoding: .utf8)
        let targets = makefile.split(separator: "\n").compactMap { $0.prefixMatch(of: /([a-z]+):.*## [A-Z]/)?.output.1 }
        #expect(named == Set(targets))
    }
}
