import Foundation
import LockstepSystem
import Testing

/// An app that takes the core, the curl transport and one adapter gets nothing of the server parts.
@Suite("An app that takes one adapter")
struct ConsumerTests {
    @Test func buildsAndNeedsOnlyCurlAndCrypto() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-consumer-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Sources/App"), withIntermediateDirectories: true)
        try Self.manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try Self.app.write(to: folder.appendingPathComponent("Sources/App/main.swift"), atomically: true, encoding: .utf8)

        let build = try await run(
            "swift", "build", "--package-path", folder.path, "--scratch-path", folder.path + "/build",
            "--disable-index-store")
        try #require(build.status == 0, "\(build.output)")

        let app = folder.path + "/build/debug/App"
        let said = try await run(app).output
        #expect(said.contains("signedOut"))

        let linked = try await run("ldd", app)
        try #require(linked.status == 0, "\(linked.output)")
        for server in ["sqlite3", "microhttpd", "libpq", "argon2", "libTesting", "FoundationNetworking", "icu"] {
            #expect(!linked.output.contains(server), "the app is linked with \(server)")
        }
        let symbols = try await run("nm", "--defined-only", app)
        try #require(symbols.status == 0, "\(symbols.output.prefix(500))")
        #expect(symbols.output.contains("LockstepGoTrue"))
        #expect(
            !symbols.output.contains("LockstepDirectory") && !symbols.output.contains("GoTrueDirectory"),
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

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
            name: "App", platforms: [.macOS(.v15)],
            dependencies: [.package(name: "lockstep", path: "\(House.root.path)")],
            targets: [
                .executableTarget(
                    name: "App",
                    dependencies: ["Lockstep", "LockstepCurl", "LockstepGoTrue"].map { .product(name: $0, package: "lockstep") },
                    swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault")])
            ])
        """

    private static let app = """
        import Foundation
        import Lockstep
        import LockstepCurl
        import LockstepGoTrue

        let auth = AuthClient(
            adapter: try GoTrueAdapter(url: "http://127.0.0.1:1", key: nil, callback: "app://callback", transport: .curl),
            store: MemorySessionStore())
        print(await auth.restore())

        // What the interface names can be named, and a password may come as the text that a field holds.
        let (typed, token): (String, Secret) = ("Correct-Horse-1", Secret("t"))
        let metadata: JSON = ["theme": "dark"]
        let now: Instant = SystemClock().now
        func use(_ auth: AuthClient, _ flow: Flow) async throws {
            _ = try await auth.signUp(with: .password(email: "ada@example.com", password: typed), displayName: "Ada")
            _ = try await auth.proceed(flow, with: .code(typed))
            _ = try await auth.proceed(flow, with: .newPassword(typed))
            try await auth.account.changePassword(to: typed, current: typed)
            _ = try await auth.account.beginPasswordChange(to: typed)
            _ = try await auth.signIn(with: .idToken(.apple, token: token))
            print(auth.state.session.map { Date($0.lifetime.expiresAt) } as Any, Instant(Date()) > now, metadata)
        }
        """

    private func run(_ command: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
        let outcome = try await ChildProcess.run(command, arguments, within: .seconds(600))
        return (outcome.status, String(decoding: outcome.output + outcome.errors, as: UTF8.self))
    }
}
