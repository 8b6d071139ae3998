import Foundation
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// An app that takes the core, the curl transport and one adapter gets nothing of the server parts.
@Suite("An app that takes one adapter")
struct ConsumerTests {
    @Test(.thorough, arguments: ReadmeApp.all)
    func needsOnlyCurlAndCrypto(_ readme: ReadmeApp) async throws {
        let package = try await ConsumerPackage.built()
        try #require(package.failure == nil, "\(package.failure ?? "")")
        let app = package.program(readme.name)

        let linked = try await run("ldd", app)
        try #require(linked.status == 0, "\(linked.output)")
        for server in ["sqlite3", "microhttpd", "libpq", "argon2", "libTesting", "FoundationNetworking", "icu"] {
            #expect(!linked.output.contains(server), "the app is linked with \(server)")
        }
        let symbols = try await run("nm", "--defined-only", app)
        try #require(symbols.status == 0, "\(symbols.output.prefix(500))")
        #expect(symbols.output.contains(readme.product))
        #expect(
            !["LockstepDirectory", "FirebaseDirectory", "GoTrueDirectory", "ClerkDirectory"].contains {
                symbols.output.contains($0)
            },
            "the app carries an administrator's code")

        // What it names itself, without what its libraries bring along and without the system's and Swift's own.
        let named = try await run("objdump", "-p", app).output.split(separator: "\n").filter { $0.contains("NEEDED") }.compactMap
        {
            $0.split(separator: " ").last.map(String.init)
        }
        let ours = named.filter { name in
            ![
                "libswift", "libFoundation", "lib_Foundation", "libc.", "libm.", "libstdc++", "libgcc_s", "libdispatch",
                "libBlocksRuntime", "ld-linux",
            ].contains { name.hasPrefix($0) }
        }
        #expect(Set(ours.map { $0.prefix { $0 != "." } }) == ["libcurl", "libssl", "libcrypto"], "\(named)")
    }

    private func run(_ command: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
        let outcome = try await ChildProcess.run(command, arguments, within: .seconds(600))
        return (outcome.status, String(decoding: outcome.output + outcome.errors, as: UTF8.self))
    }
}
