import Foundation
import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Requests of an attacker: injected queries, ids of other users, probes for known addresses.
@Suite(.limitedConcurrency)
struct IntrusionTests {
    @Test(arguments: [
        "' OR '1'='1", "'; DROP TABLE users; --", "\" OR \"\"=\"", "x' UNION SELECT * FROM users --", "%", "_", "*", "\\",
        "*)(uid=*))(|(uid=*", "{\"$ne\":null}", "${7*7}", "{{7*7}}",
    ])
    func sqlInInputIsStoredAsText(_ text: String) async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        let query = Percent.encode(text)
        #expect(try await emulator.device().signIn(text, password: text).status == 422)
        #expect(try await emulator.device().signIn(password: text).code == "form_password_incorrect")
        let stranger = emulator.device()
        #expect(try await stranger.post("/client/sign_ins", ["strategy": "ticket", "ticket": text]).status >= 400)
        for path in ["/users/\(query)", "/sessions/\(query)", "/email_addresses/\(query)"] {
            #expect(try await emulator.backend(.get, path).status == 404, "\(path)")
        }
        for name in ["query", "email_address", "user_id", "external_id", "username", "phone_number"] {
            let found = try await emulator.backend(.get, "/users?\(name)=\(query)")
            #expect(found.status >= 400 || found.json == [], "\(name): \(found.json.text())")
        }
        for name in ["order_by", "limit", "offset"] {
            #expect(try await emulator.backend(.get, "/users?\(name)=\(query)").status >= 400, "\(name)")
        }
        let named = try await device.call(.patch, "/me", ["first_name": text])
        #expect(named["first_name"] == text)
        #expect(try await device.get("/me")["first_name"] == text)
        #expect(try emulator.admin.userCount() == 1)
        #expect(try await emulator.device().signIn()["status"] == "complete")
    }

    /// Another spelling of a path does not bypass its authorization.
    @Test(arguments: ["/v1/users", "/v1/me", "/v1/sessions", "/v1/sign_in_tokens", "/v1/clients", "/v1/me/sessions/active"])
    func otherPathSpellingsBypassNoAuthorization(_ path: String) async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        for spelling in [
            path, "/" + path, path + "/", path + ".", path + "%2f", path + "%00", path + ";x", "/." + path, "/x/.." + path,
            path.uppercased(), path.replacing("/", with: "//"), path.replacing("/", with: "/./"), "/V1" + path.dropFirst(3),
            "/v1/client/.." + path.dropFirst(3), "/%76" + path.dropFirst(2), "/v1%2f" + path.dropFirst(4),
            "/npm/..%2f" + path.dropFirst(),
        ] {
            for method in [HTTPMethod.get, .post, .patch, .delete] {
                for bearer in ["", "Bearer x", "Bearer sk_test_x"] {
                    let headers: HTTPHeaders = bearer.isEmpty ? [:] : ["Authorization": bearer]
                    let request = HTTPRequest(
                        method, emulator.server.base + spelling, headers: headers, body: method == .get ? .none : .json([:]))
                    let answer = try await emulator.send(request)
                    #expect(
                        [400, 401, 403, 404, 405, 415, 422].contains(answer.status), "\(method) \(spelling): \(answer.status)")
                    #expect(!answer.json.text().contains("ada@example.com"))
                }
            }
        }
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func tokenAloneDecidesTheAccount() async throws {
        let emulator = try TestEmulator()
        let (ada, eve) = (emulator.device(), emulator.device())
        let own = try await ada.signUp()["created_user_id"]
        let done = try await eve.signUp("eve@example.com")
        let (other, session) = (done["created_user_id"], done["created_session_id"])
        for form: HTTPForm in [
            ["user_id": other, "first_name": "Taken"], ["id": other, "first_name": "Taken"], ["first_name": "Ada"],
        ] {
            let answer = try await ada.call(.patch, "/me", form, query: "&user_id=\(other)&_clerk_session_id=\(session)")
            #expect(answer.status >= 400 || answer["id"] == own, "\(answer.status)")
        }
        let address = try await eve.get("/me").response["email_addresses"]?[0]?["id"]?.string ?? ""
        for (method, path) in [
            (HTTPMethod.post, "/client/sessions/\(session)/tokens"), (.post, "/client/sessions/\(session)/end"),
            (.post, "/client/sessions/\(session)/remove"), (.post, "/client/sessions/\(session)/touch"),
            (.post, "/me/sessions/\(session)/revoke"), (.delete, "/me/email_addresses/\(address)"),
            (.get, "/me/email_addresses/\(address)"), (.post, "/me/email_addresses/\(address)/prepare_verification"),
        ] {
            let answer = try await ada.call(method, path, method == .post ? ["user_id": other, "strategy": "email_code"] : [:])
            #expect((400..<500).contains(answer.status), "\(method) \(path): \(answer.status)")
        }
        let untouched = try await eve.get("/me")
        #expect(untouched["id"] == other && untouched["first_name"].isEmpty)
        #expect(try await eve.sessionToken().status == 200)
    }

    @Test func knownAndUnknownAddressesCostTheSame() async throws {
        let emulator = try TestEmulator { $0.hidesAccounts = true }
        try await emulator.device().signUp()
        _ = try await emulator.backend(
            .post, "/users", ["email_address": ["bob@example.com"], "skip_password_requirement": true])
        func cost(_ body: () async throws -> TestResponse) async throws -> Int {
            let before = emulator.server.environment.passwordWork.count
            _ = try await body()
            return emulator.server.environment.passwordWork.count - before
        }
        for email in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
            #expect(try await cost { try await emulator.device().signIn(email, password: "wrong password") } == 1, "\(email)")
            #expect(try await cost { try await emulator.device().prepare("reset_password_email_code", email) } == 0, "\(email)")
        }
        // bcrypt hashes no password of 80 bytes. The error is the same for all.
        let long = String(repeating: "x", count: 80)
        let refusals = try await [
            emulator.device().signIn("ada@example.com", password: long).code,
            emulator.device().signIn("nobody@example.com", password: long).code,
        ]
        #expect(refusals[0] == refusals[1] && refusals[0]?.hasPrefix("form_") == true)
        for email in ["ada@example.com", "new@example.com"] {
            let form: HTTPForm = ["email_address": email, "password": TestEmulator.password]
            #expect(try await cost { try await emulator.device().post("/client/sign_ups", form) } == 1, "\(email)")
        }
    }

    @Test func endedSessionsStayEndedAfterARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clerk-\(SystemRandomness().uuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true) { $0.clientTokenGrace = .zero }
        let (ada, eve) = (first.device(), first.device())
        let old = try await ada.signUp()["created_session_id"]
        try await eve.signUp("eve@example.com")
        _ = try await ada.post("/client/sessions/\(old)/end")
        let begun = try await eve.prepare("email_code")
        let path = "/client/sign_ins/\(begun["id"])/attempt_first_factor"
        for _ in 0..<2 {
            #expect(try await eve.post(path, ["strategy": "email_code", "code": "no"]).code == "form_code_incorrect")
        }
        let code = first.code(to: "ada@example.com")
        first.server.stop()

        let second = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true) { $0.clientTokenGrace = .zero }
        let (again, other) = (second.device(), second.device())
        (again.token, other.token) = (ada.token, eve.token)
        #expect(try await again.post("/client/sessions/\(old)/tokens").status >= 401)
        #expect(try await again.get("/me").status == 401)
        #expect(try await other.sessionToken().status == 200)
        // Two guesses before and one after are the three allowed guesses.
        #expect(try await other.post(path, ["strategy": "email_code", "code": "no"]).code == "form_code_incorrect")
        #expect(try await other.post(path, ["strategy": "email_code", "code": code]).code == "verification_failed")
    }
}
