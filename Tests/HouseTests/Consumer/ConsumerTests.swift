import Foundation
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// An app with the core, the curl transport and one adapter contains nothing of the server parts.
@Suite("An app with one adapter")
struct ConsumerTests {
    @Test(.thorough, arguments: ReadmeApp.all)
    func appNeedsOnlyCurlAndCrypto(_ readme: ReadmeApp) async throws {
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

        // The symbols of the app itself, without those of its libraries, the system and Swift.
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

    /// Builds in a root without the headers of sqlite3, libmicrohttpd, libpq, libargon2, libcrypt, libqrencode and zxcvbn.
    @Test(.thorough, .timeLimit(.minutes(30))) func buildsWithoutTheHeadersOfServers() async throws {
        let package = try await ConsumerPackage.built()
        let (status, output) = package.withoutServers
        if status == 77 {
            print("No header was hidden from the build of an app: \(output)")
            return
        }
        #expect(status == 0, "\(output.suffix(2000))")
        let app = try await run(package.program(ConsumerPackage.everyProduct))
        #expect(app.status == 0 && app.output == "built\n", "\(app.output)")
    }

    /// No server can be built in that root.
    @Test func serverHeadersAreHiddenFromTheBuild() async throws {
        let script = House.root.appendingPathComponent(".ci/without-servers").path
        let shim = House.root.appendingPathComponent("Sources/Bindings/SQLite/Library/shim.h").path
        let hidden = try await run(script, "clang", "-fsyntax-only", "-x", "c", shim)
        if hidden.status == 77 { return }
        #expect(hidden.status == 1 && hidden.output.contains("'sqlite3.h' file not found"), "\(hidden.output)")
        let usual = try await run("clang", "-fsyntax-only", "-x", "c", shim)
        #expect(usual.status == 0, "\(usual.output)")
    }

    private func run(_ command: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
        let outcome = try await ChildProcess.run(command, arguments, within: .seconds(600))
        return (outcome.status, String(decoding: outcome.output + outcome.errors, as: UTF8.self))
    }
}
