import Foundation
import LockstepSystem
import Testing

/// What the package consists of, and what it offers to whom.
@Suite("The package")
struct PackageTests {
    private struct Manifest: Decodable {
        struct Entry: Decodable { let name: String }
        let targets: [Entry]
        let products: [Entry]
    }

    private static func manifest() async throws -> Manifest {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-manifest-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let outcome = try await ChildProcess.run(
            "swift", ["package", "--package-path", House.root.path, "--scratch-path", scratch, "dump-package"],
            within: .seconds(300))
        try #require(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return try JSONDecoder().decode(Manifest.self, from: Data(outcome.output))
    }

    @Test func eachProductIsOnThePage() async throws {
        let manifest = try await Self.manifest()
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/products.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
        }
        #expect(named.sorted() == manifest.products.map(\.name).sorted(), "docs/products.md names each product once")
    }
}
