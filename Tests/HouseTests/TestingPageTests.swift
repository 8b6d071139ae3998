import Foundation
import Testing

/// docs/testing.md shows the code of Examples.
@Suite("The page about tests in other languages")
struct TestingPageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func pageShowsTheTestOfTheExample() throws {
        let page = try Self.text("docs/testing.md")
        let blocks = page.components(separatedBy: "```python\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 1)
        for block in blocks {
            #expect(try Self.text("Examples/python/test_sign_in.py").contains(block), "the block is not in the example")
        }
    }
}
