import Foundation

/// A fenced block of Swift in a page or in a documentation comment.
struct Snippet: Sendable {
    /// Relative to the project's folder.
    let page: String
    /// Of its first line of code, from 1.
    let line: Int
    let lines: [String]

    /// The modules that it imports.
    var imports: [String] { lines.filter { $0.hasPrefix("import ") } }
    /// The code without its imports.
    var code: [String] { lines.map { $0.hasPrefix("import ") ? "" : $0 } }

    /// Whether the block is a `Package.swift`.
    var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version") == true }

    /// Every snippet of the project, in order: README, docs, DocC articles, documentation comments.
    ///
    /// Manifests are separate; see ``manifests()``.
    static func all() throws -> [Snippet] { try everyBlock().filter { !$0.isManifest } }

    /// Every `Package.swift` that a page shows.
    static func manifests() throws -> [Snippet] { try everyBlock().filter(\.isManifest) }

    private static func everyBlock() throws -> [Snippet] {
        let root = House.root
        let docs = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("docs").path).sorted()
        // InternalsTests compiles code that belongs inside an emulator.
        let outside = docs.filter { $0.hasSuffix(".md") && $0 != "emulator-internals.md" }
        var pages = ["README.md", "CONTRIBUTING.md", "Tests/Fixtures/MoveCalls.md"] + outside.map { "docs/\($0)" }
        for folder in ["Sources", "Adapters", "Contracts"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
            pages += paths.filter { $0.hasSuffix(".swift") || $0.contains(".docc/") && $0.hasSuffix(".md") }.map {
                "\(folder)/\($0)"
            }
        }
        return try pages.flatMap { page in
            let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
            return blocks(text, of: page)
        }
    }

    /// The blocks of a text without its manifests; in source code, those of its documentation comments.
    static func read(_ text: String, of page: String) -> [Snippet] { blocks(text, of: page).filter { !$0.isManifest } }

    private static func blocks(_ text: String, of page: String) -> [Snippet] {
        var found: [Snippet] = []
        var open: (line: Int, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var line = line
            if page.hasSuffix(".swift") {
                line = line.drop { $0 == " " }
                guard line.hasPrefix("///") else { continue }
                line = line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)
            }
            if let block = open {
                if line.hasPrefix("```") {
                    found.append(Snippet(page: page, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```swift") {
                open = (index + 2, [])
            }
        }
        return found
    }
}
