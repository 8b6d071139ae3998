import Foundation
import Testing

/// What an app gets that takes the core, the curl transport and one adapter: nothing of the server parts.
@Suite("An app that takes one adapter")
struct ConsumerTests {
    @Test func buildsAndNeedsOnlyCurlAndCrypto() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-consumer-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Sources/App"), withIntermediateDirectories: true)
        try Self.manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try Self.app.write(to: folder.appendingPathComponent("Sources/App/main.swift"), atomically: true, encoding: .utf8)

        let build = try run("swift", "build", "--package-path", folder.path, "--scratch-path", folder.path + "/build")
        try #require(build.status == 0, "\(build.output)")

        let app = folder.path + "/build/debug/App"
        #expect(try run(app).output.contains("signedOut"))

        let linked = try run("ldd", app)
        try #require(linked.status == 0, "\(linked.output)")
        for server in ["sqlite3", "microhttpd", "libpq", "argon2", "libTesting", "FoundationNetworking", "icu"] {
            #expect(!linked.output.contains(server), "the app is linked with \(server)")
        }
        // What it names itself, without what its libraries bring along and without the system's and Swift's own.
        let named = try run("objdump", "-p", app).output.split(separator: "\n").filter { $0.contains("NEEDED") }.compactMap {
            $0.split(separator: " ").last.map(String.init)
        }
        let ours = named.filter { name in
            ![
                "libswift", "libFoundation", "lib_Foundation", "libc.", "libm.", "libstdc++", "libgcc_s", "libdispatch",
                "libBlocksRuntime", "ld-linux",
            ].contains { name.hasPrefix($0) }
        }
        #expect(Set(ours.map { $0.prefix { $0 != "." } }) == ["libcurl", "libcrypto"], "\(named)")
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
                    dependencies: ["Lockstep", "LockstepCurl", "LockstepGoTrue"].map { .product(name: $0, package: "lockstep") })
            ])
        """

    private static let app = """
        import Lockstep
        import LockstepCurl
        import LockstepGoTrue
        import LockstepHTTP

        let auth = AuthClient(
            adapter: try GoTrueAdapter(url: "http://127.0.0.1:1", key: nil, transport: .curl), store: MemorySessionStore())
        print(await auth.restore())
        """

    private func run(_ command: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
