import Foundation
import Testing

/// docs/testing.md shows the code of Examples.
@Suite("The page about tests in other languages")
struct TestingPageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: [
        ("python", "Examples/python/test_sign_in.py"), ("js", "Examples/node/sign-in.test.mjs"),
        ("go", "Examples/go/lockstep_test.go"),
    ])
    func pageShowsTheTestOfTheExample(language: String, path: String) throws {
        let page = try Self.text("docs/testing.md")
        let blocks = page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 1, "one block in \(language)")
        for block in blocks {
            #expect(try Self.text(path).contains(block), "the block in \(language) is not in \(path)")
        }
    }
}
