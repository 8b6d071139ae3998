import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The first hour of a new user: the manifests on the pages, and the program of the article "Getting started".
@Suite("A first app")
struct FirstAppTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Swift reads each manifest, which declares only the products that the page's snippets import.
    @Test(.thorough, .timeLimit(.minutes(5))) func manifestsDeclareTheProductsOfTheirPages() async throws {
        let manifests = try Snippet.manifests()
        #expect(manifests.map(\.page) == ["README.md", FirstApp.page])
        for manifest in manifests {
            let folder = try Folder.makeTemporary()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try manifest.lines.joined(separator: "\n").write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
            let outcome = try await ChildProcess.run(
                "swift", ["package", "--package-path", folder, "dump-package"], within: .seconds(120))
            try #require(outcome.status == 0, "\(manifest.page): \(String(decoding: outcome.errors, as: UTF8.self))")
            let target = try JSON.parse(outcome.output)["targets"]?[0]
            let products = (target?["dependencies"]?.array ?? []).map { $0["product"] }
            let imports = try Snippet.all().filter { $0.page == manifest.page }.flatMap(\.imports)
            let declared = Set(products.compactMap { $0?[0]?.string })
            #expect(declared == Set(imports.map { String($0.dropFirst("import ".count)) }), "\(manifest.page)")
            #expect(products.allSatisfy { $0?[1]?.string == "lockstep" }, "\(manifest.page)")
        }
    }

    /// Each first step uses an address of its own: the backend sends no mail to an address that it has verified.
    @Test func firstStepsUseDifferentAddresses() throws {
        func addresses(in files: String...) throws -> Set<String> {
            Set(try files.flatMap { file in try Self.text(file).matches(of: /[a-z]+@example\.com/).map { String($0.output) } })
        }
        let seeded = try addresses(in: "Sources/LockstepCLI/Commands/Command+Init.swift", "docs/seed.example.json")
        let program = try addresses(in: FirstApp.page)
        let curl = try addresses(in: "Sources/LockstepDashboard/Pages/ConnectionLines.swift")
        #expect(!seeded.isEmpty && program.count == 1 && curl.count == 1)
        #expect(seeded.isDisjoint(with: program.union(curl)) && program.isDisjoint(with: curl))
        let lines = try Self.text("docs/emulators.md").split(separator: "\n").filter { $0.contains("/signup\"") }
        #expect(!lines.isEmpty && lines.allSatisfy { line in curl.contains { line.contains($0) } })
    }

    /// A user who abandons the first start before the emulator forgets everything starts again, and is signed in at the last start.
    @Test(.thorough, .timeLimit(.minutes(20))) func theProgramSignsAUserUp() async throws {
        let package = try await ConsumerPackage.built()
        try #require(package.failure == nil, "the package does not compile")
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try await BlockingThread.run { try EmulatorProcess(["gotrue"]) }
        let script = """
            code() {
                curl -s -H "Authorization: $3" "$2/__lockstep/messages?to=mary@example.com&wait=10" |
                    grep -o '"code":"[0-9]*"' | grep -o '[0-9]*'
            }
            "$1" "$2" </dev/null && curl -s -X POST -H "Authorization: $3" "$2/__lockstep/reset" || exit 1
            { echo 000000; echo; code "$@"; } | "$1" "$2" && "$1" "$2" </dev/null
            """
        let control = server.lines[0]["control"]?["Authorization"]?.string ?? ""
        let outcome = try await ChildProcess.run(
            "bash", ["-c", script, "bash", package.program(FirstApp.name), server.base, control],
            environment: ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": folder]) { $1 }, within: .seconds(60))
        _ = try await BlockingThread.run { try server.stop() }
        let lines = outcome.text.split(separator: "\n").map(String.init)
        let welcomes = lines.filter { $0.hasPrefix("Signed in as") || $0.hasPrefix("Welcome") }
        #expect(
            welcomes == ["Signed in as Mary.", "Welcome back.", "Signed in as Mary."] && outcome.status == 0,
            "\(outcome.text) \(String(decoding: outcome.errors, as: UTF8.self))")
        #expect(lines.count { $0.contains("m•••@example.com") } == 4)
    }
}
