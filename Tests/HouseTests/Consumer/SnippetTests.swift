import Foundation
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The code of the documentation compiles with the products that it names, and README's example runs.
@Suite("Code of the documentation")
struct SnippetTests {
    @Test(.thorough) func snippetsCompile() async throws {
        let package = try await ConsumerPackage.built()
        if let failure = package.failure { Issue.record("\(failure)") }
    }

    @Test func everySnippetIsInThePackage() throws {
        let snippets = try Snippet.all()
        #expect(Set(snippets.map(\.page)) == Set(SnippetPage.all.map(\.path)))
        #expect(snippets.count(where: { $0.page == "README.md" }) == 1)
    }

    @Test(arguments: SnippetPage.all)
    func pageNamesItsProducts(_ page: SnippetPage) throws {
        guard page.path.hasSuffix(".md") else { return }
        let text = try String(contentsOf: House.root.appendingPathComponent(page.path), encoding: .utf8)
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        for product in page.products { #expect(words.contains(product), "\(page.path) does not say that it takes \(product)") }
    }

    /// The adapter of the page keeps the contracts: its file in the tests contains the page's code, block by block.
    @Test func tutorialMatchesTheCodeThatRuns() throws {
        let file = House.root.appendingPathComponent("Tests/ProviderContractTests/Acme/AcmeAdapter.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        let blocks = try Snippet.all().filter { $0.page == "docs/writing-an-adapter.md" }
        #expect(blocks.count > 3)
        for block in blocks {
            let place = "docs/writing-an-adapter.md:\(block.line)"
            let code = lines.prefix(block.lines.count)
            let difference = zip(block.lines, code).first { $0 != $1 }
            #expect(Array(code) == block.lines, "\(place): \(difference?.0 ?? "") is not \(difference?.1 ?? "there")")
            lines = lines.dropFirst(block.lines.count)
            #expect(lines.first == "", "\(place): the file goes on where the block ends")
            lines = lines.dropFirst()
        }
        #expect(lines.isEmpty, "the file has more than the page")
    }

    /// The client of README's example is the one of the app to copy.
    @Test func readmeCreatesTheClientOfTheExample() throws {
        func lines(_ path: String) throws -> [String] {
            try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        let (page, app) = (try lines("README.md"), try lines("Examples/SwiftUI/OrdersApp.swift"))
        let start = try #require(page.firstIndex { $0.hasPrefix("let auth = try AuthClient(") })
        let client = Array(page[start..<(start + 3)])
        #expect(app.indices.contains { Array(app[$0...].prefix(3)) == client }, "\(client)")
    }

    /// Only the adapter's line is different.
    @Test(.thorough, .timeLimit(.minutes(20)), arguments: ReadmeApp.all)
    func readmeExampleRunsOnEveryBackend(_ readme: ReadmeApp) async throws {
        let package = try await ConsumerPackage.built()
        try #require(package.failure == nil, "the package does not compile")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-readme-\(readme.provider)-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await BlockingThread.run { try EmulatorProcess([readme.provider.lowercased()]) }
        let outcome = try await ChildProcess.run(
            package.program(readme.name), [server.base, server.inbox, server.key],
            environment: ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": folder.path]) { $1 }, within: .seconds(60)
        )
        _ = try await BlockingThread.run { try server.stop() }
        let said = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(outcome.status == 0, "\(String(decoding: outcome.output + outcome.errors, as: UTF8.self))")
        #expect(said.first?.hasPrefix("asked for") == true)
        #expect(said.suffix(2) == ["greeted Ada", "signed in as ada@example.com"], "\(said)")
    }

    /// A block without an end loses its code, and indentation belongs to the code.
    @Test func swiftBlocksAreRead() {
        let text = "```swift\nimport A\nlet a = 1\n```\n```\nno\n```\n```swift\n  b()\n```\n"
        let read = Snippet.read(text, of: "page.md")
        #expect(read.map(\.line) == [2, 9])
        #expect(read.map(\.lines) == [["import A", "let a = 1"], ["  b()"]])
        #expect(read[0].imports == ["import A"] && read[0].code == ["", "let a = 1"])
        #expect(Snippet.read("    /// ```swift\n    /// c()\n    /// ```\n", of: "C.swift").map(\.lines) == [["c()"]])
    }
}
