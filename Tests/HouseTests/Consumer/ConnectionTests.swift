import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// docs/emulators.md and the providers' pages describe how to connect code to `lockstep serve`.
@Suite("Code connected to lockstep serve")
struct ConnectionTests {
    /// The page's directory creates a user, its adapter signs the user in, and its verifier verifies the token.
    @Test(.thorough, .timeLimit(.minutes(20)), arguments: ConnectedApp.all)
    func codeOfThePageReachesTheServer(_ app: ConnectedApp) async throws {
        let package = try await ConsumerPackage.built()
        try #require(package.failure == nil, "the package does not compile")
        let server = try await BlockingThread.run { try EmulatorProcess([app.provider.lowercased()] + app.options) }
        let words = [server.base, server.value("publishable_key") ?? "", server.value("secret_key") ?? ""]
        let outcome = try await ChildProcess.run(package.program(app.name), words, within: .seconds(60))
        _ = try await BlockingThread.run { try server.stop() }
        let shown = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
        #expect(outcome.status == 0 && outcome.text == "verified", "\(shown)")
    }

    /// The adapter's line also works in the mode that the vendor's SDK needs.
    @Test func firebasePageNamesTheLineThatNeedsStrictMode() throws {
        let text = try page("docs/firebase-emulator.md")
        #expect(text.contains("The verifier needs `lockstep serve firebase --mode strict`"))
    }

    /// In an app's own package, SwiftPM builds the command as a product of its dependency.
    @Test(.thorough, .timeLimit(.minutes(40))) func swiftRunStartsTheServerInAnAppPackage() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let package = try await ConsumerPackage.built()
        try await package.buildCommand()
        // The variable of the project's own tests removes products.
        let (program, variables) = (package.swiftRun + ["lockstep"], ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_TESTS": ""])
        let server = try await BlockingThread.run {
            try EmulatorProcess([], by: program, variables: variables, within: .seconds(300))
        }
        #expect(server.lines.map { $0["provider"]?.string } == ["firebase", "gotrue", "clerk"])
        // In another terminal of the same folder, while the server runs.
        let status = try await ChildProcess.run(
            program[0], program.dropFirst() + ["status", "--format", "env"],
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, within: .seconds(300))
        #expect(status.text.contains("export CLERK_API_URL=\(server.lines[2]["base"]?.string ?? "no address")"), "\(status.text)")
        #expect(try await BlockingThread.run { try server.stop() } == 0)
    }

    /// Each line of the table in docs/emulators.md is part of the provider's page, whose code runs.
    @Test func linesOfTheTableMatchThePages() throws {
        let tables = try page("docs/emulators.md").components(separatedBy: "\n| code | line |\n")
        let table = try #require(tables.count == 2 ? tables[1].components(separatedBy: "\n\n").first : nil)
        // Code is between backticks.
        let pieces = table.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        let lines = pieces.filter { $0.offset % 2 == 1 }.map { String($0.element) }.filter { $0.contains("127.0.0.1") }
        #expect(lines.count == 12)
        let pages = try ConnectedApp.all.map { try flat(page($0.page)) }
        for line in lines { #expect(pages.count(where: { $0.contains(flat(line)) }) == 1, "no page has \(line)") }
        for part in ["Adapter(", "Verifier.", "Directory("] { #expect(lines.count(where: { $0.contains(part) }) == 3, "\(part)") }
    }

    /// The tests that run the code would not find a page in another format.
    @Test(arguments: ConnectedApp.all) func pageHasALineForEachClient(_ app: ConnectedApp) throws {
        let code = try app.lines().lines.joined(separator: "\n")
        for name in ["adapter", "verifier", "directory"] { #expect(code.contains("let \(name) = try "), "\(app.page): \(name)") }
        let text = try page(app.page)
        #expect(text.contains("```js\n") && text.contains("```python\n"), "\(app.page) has no line for the vendor's SDK")
        #expect(text.contains("`swift run lockstep serve \(app.provider.lowercased())`"))
    }

    private func page(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The text without white space, because a line of the table can be two lines of a page.
    private func flat(_ text: String) -> String { String(text.filter { !$0.isWhitespace }) }
}
