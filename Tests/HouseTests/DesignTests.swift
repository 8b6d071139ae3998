import Foundation
import Testing

/// The list of targets in docs/design.md is complete.
@Suite("The design page")
struct DesignTests {
    private static let page = Result {
        try String(contentsOf: House.root.appendingPathComponent("docs/design.md"), encoding: .utf8)
    }

    /// The page lists the targets of the Makefile.
    @Test func pageListsTheTargetsOfTheMakefile() throws {
        let page = try Self.page.get()
        let line = page.split(separator: "\n").first { $0.hasPrefix("Makefile ") } ?? ""
        let named = Set(line.dropFirst("Makefile".count).split(whereSeparator: { " |".contains($0) }))
        let makefile = try String(contentsOf: House.root.appendingPathComponent("Makefile"), encoding: .utf8)
        let targets = makefile.split(separator: "\n").compactMap { $0.prefixMatch(of: /([a-z-]+):.*## [A-Z]/)?.output.1 }
        #expect(named == Set(targets))
    }
}
