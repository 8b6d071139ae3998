import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite("lockstep contracts --server", .limitedConcurrency)
struct OwnUsersTests {
    private let transport = CurlTransport()

    private func users(at base: String) async throws -> [String] {
        let address = base + "/identitytoolkit.googleapis.com/v1/projects/demo-lockstep/accounts:batchGet?maxResults=1000"
        let response = try await transport.send(HTTPRequest(.get, address, headers: ["Authorization": "Bearer owner"]))
        return (try response.json()["users"]?.array ?? []).compactMap { $0["email"]?.string ?? $0["localId"]?.string }
    }

    private func signUp(_ email: String, at base: String) async throws {
        let address = base + "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
        let body: JSON = ["email": .string(email), "password": "correct horse"]
        #expect(try await transport.send(HTTPRequest(.post, address, body: .json(body))).isSuccess)
    }

    @Test func keepsUsersOfOthersUnlessEraseIsGiven() async throws {
        _ = try await ServerProcess.serving(["firebase"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            for number in 0..<3 { try await signUp("customer\(number)@example.com", at: base) }
            let before = try await users(at: base)
            let contracts = ["contracts", "--provider", "firebase", "--server", base, "--only", "sign-in.password,guest"]
            let run = try await Lockstep.run(contracts + ["--format", "json"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try JSON.parse(Array(run.output.utf8)).object != nil)
            #expect(try await users(at: base) == before)
            let erasing = try await Lockstep.run(contracts + ["--erase"])
            #expect(erasing.status == 0, "\(erasing.errors)")
            #expect(try await users(at: base).isEmpty)
        }
    }

    @Test(arguments: [
        "http://192.0.2.7:9099", "https://auth.example.com", "http://localhost.example.com", "http://localhost@192.0.2.7",
        "http://127.0.0.1.example.com",
    ])
    func remoteServerNeedsItsProjectConfirmed(_ server: String) async throws {
        for more in [[], ["--erase"], ["--confirm", "other"], ["--project", "mine", "--confirm", "demo-lockstep"]] {
            let run = try await Lockstep.run(["contracts", "--provider", "firebase", "--server", server] + more)
            #expect(run.status == 2, "\(more): \(run.errors)")
            #expect(run.errors.contains("--confirm"), "\(run.errors)")
        }
    }

    @Test(arguments: ["--erase", "--confirm=x", "--project=x"])
    func serverOptionsNeedAServer(_ option: String) async throws {
        #expect(try await Lockstep.run("contracts", option).status == 2)
    }
}
