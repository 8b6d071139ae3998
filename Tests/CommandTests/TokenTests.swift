import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep token new", .limitedConcurrency)
struct TokenTests {
    private func withServers<Value: Sendable>(
        _ providers: [String], _ body: (_ lines: [JSON], _ variables: [String: String]) async throws -> Value
    ) async throws -> Value {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let variables = ["XDG_RUNTIME_DIR": folder, "LOCKSTEP_READY": ""]
        return try await ServerProcess.serving(providers, lines: providers.count, variables: variables) { lines in
            try await body(lines, variables)
        }.result
    }

    /// Creates a user with the control API.
    private func makeUser(_ values: JSON, on line: JSON) async throws -> String {
        let request = HTTPRequest(
            .post, (line["base"]?.string ?? "") + "/__lockstep/users",
            headers: ["Authorization": line["control"]?["Authorization"]?.string ?? ""], body: .json(values))
        let answer = try await CurlTransport().send(request)
        return try #require(try JSON.parse(answer.body)["id"]?.string, "\(answer.status)")
    }

    /// The provider's own user route accepts the token.
    @Test func printedTokenBelongsToTheUser() async throws {
        try await withServers(["firebase", "gotrue", "clerk"]) { lines, variables in
            for (line, provider) in zip(lines, ["firebase", "gotrue", "clerk"]) {
                let id = try await makeUser(
                    ["email": "ada@example.com", "emailConfirmed": true, "password": "Correct-Horse-1"], on: line)
                for name in [id, "Ada@Example.com"] {
                    let run = try await Lockstep.run(["token", "new", provider, "--user", name], variables: variables)
                    #expect(run.status == 0 && run.errors.isEmpty, "\(provider) \(name): \(run.errors)")
                    let parts = run.output.split(separator: "\n")
                    let claims = try #require(parts.count == 1 ? Self.claims(of: String(parts[0])) : nil, "\(run.output)")
                    #expect(claims["sub"]?.string == id, "\(provider): \(claims.text())")
                }
                let json = try await Lockstep.run(
                    ["token", "new", provider, "--user", id, "--format", "json"], variables: variables)
                let document = try JSON.parse(json.output)
                #expect(document["accessToken"]?.string?.isEmpty == false && document["handover"]?.object?.isEmpty == false)
            }
            let unclear = try await Lockstep.run(["token", "new", "--user", "ada@example.com"], variables: variables)
            #expect(unclear.status == 2 && unclear.errors.contains("firebase, gotrue or clerk"), "\(unclear.errors)")
        }
    }

    private static func claims(of token: String) -> JSON? {
        let parts = token.split(separator: ".")
        guard parts.count > 1 else { return nil }
        let text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        let padded = String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: padded).flatMap { try? JSON.parse(Array($0)) }
    }

    @Test func singleServerNeedsNoProviderName() async throws {
        try await withServers(["gotrue"]) { lines, variables in
            let id = try await makeUser(["phone": "+4915112345678", "phoneConfirmed": true], on: lines[0])
            let run = try await Lockstep.run(
                ["token", "new", "--user", "+4915112345678", "--second-factor"], variables: variables)
            let claims = try #require(Self.claims(of: run.output), "\(run.errors)")
            #expect(claims["sub"]?.string == id && claims["aal"] == "aal2")
            for (words, reason) in [
                (["--user", "bob@example.com"], "no user \"bob@example.com\""), (["clerk", "--user", "x"], "Clerk"),
            ] {
                let run = try await Lockstep.run(["token", "new"] + words, variables: variables)
                #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
            }
        }
    }

    @Test(arguments: [
        (["token", "new"], "--user"), (["token", "new", "gotru", "--user", "x"], "Did you mean gotrue?"),

        (["token", "nwe"], "Did you mean new?"), (["token", "new", "gotrue", "clerk", "--user", "x"], "one provider"),
    ])
    func invalidArgumentsPrintOneSentence(_ words: [String], _ reason: String) async throws {
        let run = try await Lockstep.run(words)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
