import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep logs", .limitedConcurrency)
struct LogsTests {
    private static let canary = "Canary-Password-1"

    private func signUp(_ address: String, at base: String) async throws {
        let body: JSON = ["email": .string(address), "password": .string(Self.canary)]
        let answer = try await CurlTransport().send(HTTPRequest(.post, base + "/signup", body: .json(body)))
        #expect(answer.status == 200)
    }

    private func serving(_ words: [String], _ body: (String, [String: String], ServerProcess) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        let server = try await BlockingThread.run { try ServerProcess(words, lines: words.count, variables: variables) }
        defer { server.kill() }
        try await body(try #require(server.lines.first?["base"]?.string), variables, server)
    }

    @Test func printsTheLatestEventsWithoutSecrets() async throws {
        try await serving(["gotrue", "clerk"]) { base, variables, server in
            let none = try await Lockstep.run(["logs"], variables: variables)
            #expect(none.status == 0 && none.output.isEmpty && none.errors.isEmpty, "\(none.errors)")
            for name in ["ada", "grace", "mary"] { try await signUp("\(name)@example.com", at: base) }
            let code = try await Lockstep.run(["code", "ada@example.com"], variables: variables)
            let run = try await Lockstep.run(["logs"], variables: variables)
            let lines = run.output.split(separator: "\n")
            #expect(
                run.status == 0 && lines.count == 3 && lines.contains { $0.contains(code.output.dropLast()) }, "\(run.output)")
            // Neither what a client sent, nor what a server returns, nor the token of the routes.
            let secrets = [Self.canary, "access_token", "eyJ", server.lines[0]["control"]?["Authorization"]?.string ?? "-"]
            for secret in secrets { #expect(!run.output.contains(secret), "\(secret)") }
            let last = try await Lockstep.run(["logs", "--lines", "1"], variables: variables)
            #expect(last.output.split(separator: "\n").last == lines[2], "\(last.output)")
            #expect(try await Lockstep.run(["logs", "--lines", "501"], variables: variables).status == 2)
        }
    }

    /// Each event is printed once, when it happens, and the end of the server is the end of the command.
    @Test func followsUntilTheServerEnds() async throws {
        try await serving(["gotrue"]) { base, variables, _ in
            try await signUp("before@example.com", at: base)
            let process = try ChildProcess(
                Lockstep.executable, ["logs", "--follow"], environment: Lockstep.environment(variables))
            defer { process.kill() }
            let first = try await BlockingThread.run { try Self.read(process, to: "before@example.com", after: "") }
            try await signUp("after@example.com", at: base)
            let both = try await BlockingThread.run { try Self.read(process, to: "after@example.com", after: first) }
            #expect(try await Lockstep.run(["stop"], variables: variables).status == 0)
            let rest = try await BlockingThread.run { try Self.read(process, to: "\0", after: both) }
            let status = try await BlockingThread.run { try process.wait() }
            #expect(status == 0 && rest.split(separator: "\n").count == 2, "\(rest)")
        }
    }

    /// Reads until a text appears, or to the end.
    private static func read(_ process: ChildProcess, to text: String, after shown: String) throws -> String {
        var shown = shown
        while !shown.contains(text), case let part = try process.readOutput(), !part.isEmpty {
            shown += String(decoding: part, as: UTF8.self)
        }
        return shown
    }

    @Test func withoutAServerExits1() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try await Lockstep.run(["logs"], variables: ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""])
        #expect(run.status == 1 && run.output.isEmpty)
    }
}
