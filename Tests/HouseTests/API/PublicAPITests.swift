import Foundation
import LockstepTestConcurrency
import Testing

/// The public declarations of the products for apps and servers when they were last recorded: Tests/Fixtures/API, a file for
/// each module.
@Suite("The public API")
struct PublicAPITests {
    /// The products whose names a release keeps, and the modules that they export.
    private static func modules() async throws -> [String] {
        let manifest = try await Manifest.current()
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/README.md"), encoding: .utf8)
        let part =
            page.components(separatedBy: "\n### Apps\n").last?.components(separatedBy: "\n### Authors of adapters\n").first ?? ""
        let named = part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.hasPrefix("Lockstep") }
        }
        let targets = manifest.products.filter { named.contains($0.name) }.flatMap(\.targets)
        return Set(targets + ["LockstepPrimitives", "LockstepHTTP"]).sorted()
    }

    private static let folder = House.root.appendingPathComponent("Tests/Fixtures/API")
    /// The build folder, next to the bundle of the tests.
    private static let build = URL(fileURLWithPath: EmulatorProcess.command).deletingLastPathComponent().path

    /// A removed or changed declaration breaks the code of users.
    ///
    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter PublicAPITests` rewrites the files, for a change that CHANGELOG.md names.
    @Test(.thorough, .timeLimit(.minutes(10))) func publicAPIKeepsItsDeclarations() async throws {
        let environment = ProcessInfo.processInfo.environment
        let flags = try await PublicAPI.flags()
        var count = 0
        for module in try await Self.modules() {
            // A build that LOCKSTEP_TESTS limits has only some modules.
            let isBuilt = FileManager.default.fileExists(atPath: "\(Self.build)/Modules/\(module).swiftmodule")
            if !isBuilt, environment["LOCKSTEP_TESTS"] != nil { continue }
            let now = try await PublicAPI(module: module, in: Self.build, flags: flags)
            #expect(!now.lines.isEmpty, "\(module) has no public symbol")
            count += 1
            let file = Self.folder.appendingPathComponent("\(module).txt")
            if environment["LOCKSTEP_WRITE_PAGES"] != nil {
                try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
                try now.text.write(to: file, atomically: true, encoding: .utf8)
                continue
            }
            let before = PublicAPI(text: try String(contentsOf: file, encoding: .utf8))
            for breakage in before.breakages(in: now) { Issue.record("\(module): \(breakage)") }
        }
        #expect(count > 3)
    }

    /// The file of a removed module would be compared with nothing.
    @Test func everyFileBelongsToAProduct() async throws {
        // The other test can be writing them now.
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil { return }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(try await Self.modules().map { "\($0).txt" }))
    }

    @Test func namesRemovedDeclarations() {
        let before = PublicAPI(text: "A\tstruct A\nA\t: Sendable\nA.b\tvar b: Int { get }\nA.c()\tfunc c()\n")
        var now = before
        #expect(before.breakages(in: now).isEmpty)
        now.lines.insert("A.d\tvar d: Int { get }")
        #expect(before.breakages(in: now).isEmpty)
        now.lines.subtract(["A.c()\tfunc c()", "A\t: Sendable", "A.b\tvar b: Int { get }"])
        now.lines.insert("A.b\tvar b: Int? { get }")
        #expect(
            before.breakages(in: now) == [
                "A no longer conforms to Sendable", "A.b was: var b: Int { get } - is: var b: Int? { get }",
                "A.c() is gone: func c()",
            ])
    }
}
