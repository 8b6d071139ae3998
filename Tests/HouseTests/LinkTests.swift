import Foundation
import Testing

/// A Markdown page: its headings and its links.
struct Page {
    let path: String
    /// The anchors of its headings, as GitHub generates them.
    let anchors: Set<String>
    /// The targets of its links, without those in code.
    let links: [String]

    init(path: String, text: String) {
        self.path = path
        var isCode = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            guard line.drop(while: { $0 == " " }).hasPrefix("```") else { return !isCode }
            isCode.toggle()
            return false
        }
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in lines where line.hasPrefix("#") {
            let anchor = Self.anchor(of: line.drop { $0 == "#" }.drop { $0 == " " })
            anchors.insert(seen[anchor].map { "\(anchor)-\($0)" } ?? anchor)
            seen[anchor, default: 0] += 1
        }
        self.anchors = anchors
        links = lines.flatMap { line in
            // Text between backticks is shown unchanged.
            let shown = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "code" }.joined()
            return shown.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        }
    }

    /// Returns the anchor of a heading: lowercase, hyphens for spaces, without other marks.
    static func anchor(of heading: some StringProtocol) -> String {
        let text = String(heading).replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
        return String(
            text.lowercased().compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_" ? character : nil
            })
    }
}

/// Every relative link of a page refers to an existing file and heading.
@Suite("Links of the documentation")
struct LinkTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    private static let pages = Result {
        let root = try FileManager.default.contentsOfDirectory(atPath: House.root.path)
        let below = ["docs", "Examples", ".github"].flatMap { folder in
            (FileManager.default.enumerator(atPath: House.root.appendingPathComponent(folder).path)?.compactMap { $0 as? String }
                ?? []).map { "\(folder)/\($0)" }
        }
        return try (root + below).filter { $0.hasSuffix(".md") }.sorted().map { Page(path: $0, text: try text($0)) }
    }

    /// Returns the links of a page without a target.
    private static func deadLinks(of page: Page, among pages: [Page]) -> [String] {
        let folder = URL(fileURLWithPath: "/\(page.path)").deletingLastPathComponent()
        return page.links.filter { link in
            guard !link.contains(":") else { return false }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let path = folder.appendingPathComponent(parts[0]).standardizedFileURL.path
            let target = parts[0].isEmpty ? page.path : String(path.dropFirst())
            guard FileManager.default.fileExists(atPath: House.root.appendingPathComponent(target).path) else { return true }
            guard parts.count == 2, let other = pages.first(where: { $0.path == target }) else { return false }
            return !other.anchors.contains(parts[1])
        }
    }

    @Test func everyLinkHasATarget() throws {
        let pages = try Self.pages.get()
        #expect(pages.count > 40 && pages.flatMap(\.links).count > 200)
        for page in pages {
            let dead = Self.deadLinks(of: page, among: pages)
            #expect(dead.isEmpty, "\(page.path): \(dead.joined(separator: ", "))")
        }
    }

    @Test func everyPageOfTheDocumentationIsInTheIndex() throws {
        let pages = try Self.pages.get()
        let index = try #require(pages.first { $0.path == "docs/README.md" })
        let named = Set(index.links.map { $0.split(separator: "#")[0] })
        let others = pages.map(\.path).filter { $0.hasPrefix("docs/") && $0 != index.path }.map { $0.dropFirst("docs/".count) }
        for name in others where !name.contains("/") {
            #expect(named.contains(name), "docs/README.md does not name \(name)")
        }
    }

    /// Each library has a landing page, which `make docs` uses as its first page.
    @Test func everyLibraryHasALandingPage() async throws {
        let folders = ["Adapters", "Contracts", "Sources"].flatMap { folder in
            (FileManager.default.enumerator(atPath: House.root.appendingPathComponent(folder).path)?.compactMap { $0 as? String }
                ?? []).map { "\(folder)/\($0)" }
        }
        for product in try await Manifest.current().products where product.name != "lockstep" {
            let page = folders.first { $0.hasSuffix("/\(product.name).docc/\(product.name).md") }
            let text = try page.map { try Self.text($0) }
            #expect(text?.hasPrefix("# ``\(product.name)``\n") == true, "\(product.name).docc has no page for the library")
        }
    }

    @Test func findsDeadLinks() {
        let page = Page(
            path: "docs/README.md",
            text: """
                # One `word`
                [a](missing.md) [b](#one-word) [c](#two) `[d](code.md)` [e](https://example.com)
                ```
                [f](block.md)
                ```
                """)
        #expect(Self.deadLinks(of: page, among: [page]) == ["missing.md", "#two"])
    }
}
