import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep token check", .limitedConcurrency)
struct TokenCheckTests {
    private struct Server {
        let folder: String
        let lines: [JSON]

        var variables: [String: String] { ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": "", "SUPABASE_JWT_SECRET": ""] }

        func send(_ line: JSON, _ path: String, _ body: JSON? = nil) async throws -> JSON {
            let request = HTTPRequest(
                .post, (line["base"]?.string ?? "") + "/__lockstep" + path,
                headers: ["Authorization": line["control"]?["Authorization"]?.string ?? ""], body: body.map { .json($0) } ?? .none
            )
            return try JSON.parse(try await CurlTransport().send(request).body)
        }

        /// A token of a user whose id is also returned.
        func token(of line: JSON) async throws -> (user: String, token: String) {
            let values: JSON = ["email": "ada@example.com", "emailConfirmed": true, "password": "Correct-Horse-1"]
            let user = try #require(try await send(line, "/users", values)["id"]?.string)
            return (user, try #require(try await send(line, "/users/\(user)/sign-in", [:])["accessToken"]?.string))
        }

        /// Runs the command with a token in a file, and checks that it prints neither the token nor its signature.
        func check(_ token: String, _ options: [String] = []) async throws -> Lockstep {
            let path = folder + "/token"
            try Data(("Bearer " + token + "\n").utf8).write(to: URL(fileURLWithPath: path))
            let run = try await Lockstep.run(["token", "check", path] + options, variables: variables)
            let signature = token.split(separator: ".").last.map(String.init) ?? token
            for text in [run.output, run.errors] where signature.count > 8 {
                #expect(!text.contains(signature) && !text.contains(token), "the token or its signature is printed")
            }
            return run
        }
    }

    private func withServers(_ words: [String], _ count: Int, _ body: (Server) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try await ServerProcess.serving(words, lines: count, variables: ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]) {
            try await body(Server(folder: folder, lines: $0))
        }
    }

    @Test func tokenOfEachProviderIsValid() async throws {
        try await withServers(["--mode", "strict"], 3) { server in
            for line in server.lines {
                let (user, token) = try await server.token(of: line)
                let run = try await server.check(token)
                #expect(run.status == 0 && run.output.contains("The token is valid."), "\(run.output)\(run.errors)")
                #expect(run.output.contains(user) && run.output.contains("UTC, in "), "\(run.output)")
                // Only the emulator that the token names has decided.
                let bases = server.lines.compactMap { $0["base"]?.string }
                let head = run.output.split(separator: "\n").first { $0.hasPrefix("Checked with ") } ?? ""
                #expect(bases.filter { head.contains($0) } == [line["base"]?.string ?? ""], "\(head)")
                #expect(run.output.matches(of: /\n  passed +/).count == 7, "\(run.output)")

                var changed = Array(token)
                let last = changed.lastIndex(of: ".").map { $0 + 5 } ?? 0
                changed[last] = changed[last] == "A" ? "B" : "A"
                let forged = try await server.check(String(changed))
                #expect(forged.status == 1 && forged.output.contains("not valid: signature"), "\(forged.output)")
            }
        }
    }

    /// Firebase's default mode does not sign its tokens, and accepts them after their expiry.
    @Test func emulatorDecidesAboutItsUnsignedTokens() async throws {
        try await withServers(["firebase"], 1) { server in
            let line = server.lines[0]
            let (user, token) = try await server.token(of: line)
            _ = try await server.send(line, "/clock?seconds=7200")
            let own = try await server.check(token)
            #expect(
                own.status == 0 && own.output.contains("--mode strict") && own.output.contains("unsigned"),
                "\(own.output)\(own.errors)")
            let project = line["vars"]?["project"]?.string ?? ""
            let options = ["--provider", "firebase", "--project", project, "--url", line["base"]?.string ?? ""]
            #expect(try await server.check(token, options).status == 1, "the verifier of a server rejects it")

            let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            var claims = try #require(try JSON.parse(Base64.decode(parts[1], .url) ?? []).object)
            for (name, value) in [("user_id", "nobody"), ("iss", "https://securetoken.google.com/other")] {
                let former = claims[name]
                claims[name] = .string(value)
                let forged = parts[0] + "." + Base64.encode(JSON.object(claims).bytes(), .url) + "."
                let run = try await server.check(forged)
                #expect(run.status == 1 && run.output.contains("not valid"), "\(name): \(run.output)")
                claims[name] = former
            }
            #expect(claims["user_id"]?.string == user)
        }
    }

    @Test func eachFailedCheckHasItsReason() async throws {
        try await withServers(["gotrue"], 1) { server in
            let line = server.lines[0]
            let base = try #require(line["base"]?.string)
            _ = try await server.send(line, "/clock?seconds=-7200")
            let (_, old) = try await server.token(of: line)
            // The check uses the server's clock.
            _ = try await server.send(line, "/clock?seconds=7200")
            let expired = try await server.check(old)
            #expect(expired.status == 1 && expired.output.contains("minutes ago"), "\(expired.output)")
            #expect(
                expired.output.contains("failed   times") && expired.output.contains("passed   signature"), "\(expired.output)")
            #expect(expired.output.contains("The token is not valid: times."))

            let options = ["--jwks", base + "/.well-known/jwks.json", "--issuer", "https://other.example", "--audience", "api"]
            let other = try await server.check(old, options)
            #expect(other.status == 1 && other.output.contains("Expected: \"https://other.example\"."), "\(other.output)")
            #expect(other.output.contains("Expected: \"api\".") && other.output.contains("unknown  signature"), "\(other.output)")

            let gone = try await server.check(
                old, ["--jwks", "http://127.0.0.1:1/keys", "--issuer", base, "--audience", "authenticated"])
            #expect(gone.status == 1 && gone.output.contains("http://127.0.0.1:1/keys"), "\(gone.output)")
        }
    }

    /// A key set that never ends is read up to a limit.
    @Test func endlessKeySetPrintsOneSentence() async throws {
        try await withServers(["gotrue"], 1) { server in
            let (_, token) = try await server.token(of: server.lines[0])
            try await EndlessServer.with(startingWith: #"{"keys": ["#) { endless in
                let options = ["--jwks", endless.url + "/keys", "--issuer", "https://issuer.example", "--audience", "api"]
                let run = try await server.check(token, options)
                #expect(run.status == 1 && run.output.contains("unknown  signature"), "\(run.output)\(run.errors)")
                #expect(run.output.contains("\(endless.url)/keys did not respond: The response is longer than"), "\(run.output)")
                #expect(!run.output.contains(".."), "\(run.output)")
                #expect(endless.sent < 64 << 20, "\(endless.sent) bytes were read")
            }
        }
    }

    @Test func malformedTokenPrintsOneSentence() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = Server(folder: folder, lines: [])
        let issuer = ["--jwks", "https://issuer.example/keys", "--issuer", "https://issuer.example"]
        for (text, reason) in [
            (String(repeating: "a", count: 1 << 20), "at most 65536 bytes"), ("a.b", "three parts"), ("eyJ.eyJ.", "JSON object"),
        ] {
            let run = try await server.check(text, issuer)
            #expect(run.status == 1 && run.output.contains(reason) && run.output.utf8.count < 600, "\(run.output)\(run.errors)")
        }
        for (words, reason) in [
            (["token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl"], "must not be on the command line"),
            (["token", "check", folder + "/none"], "no file"), (["token", folder], "folder"),
            (["token", "check", "--jwks", "https://issuer.example/keys"], "--issuer"),
            (["token", "--provider", "gotrue"], "--url"), (["token", "--provider", "firebase"], "--project"),
            (["token", "--provider", "gotrue", "--url", "http://10.0.0.1"], "https"),
        ] {
            let run = try await Lockstep.run(words, variables: server.variables)
            #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(reason), "\(words): \(run.errors)")
            #expect(!run.errors.contains("eyJ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func tokenIsReadFromStandardInput() async throws {
        try await withServers(["gotrue"], 1) { server in
            let (_, token) = try await server.token(of: server.lines[0])
            let script = "printf '%s' \"$TOKEN\" | \"$COMMAND\" token"
            let variables = server.variables.merging(["TOKEN": token, "COMMAND": Lockstep.executable]) { $1 }
            let outcome = try await ChildProcess.run(
                "/bin/sh", ["-c", script], environment: Lockstep.environment(variables), within: .seconds(60))
            #expect(outcome.status == 0, "\(String(decoding: outcome.output + outcome.errors, as: UTF8.self))")
        }
    }
}
