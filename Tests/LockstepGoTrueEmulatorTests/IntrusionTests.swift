import Foundation
import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Requests of an attacker: injected queries, ids of other users, probes for known addresses.
@Suite(.limitedConcurrency)
struct IntrusionTests {
    static let statements = [
        "' OR '1'='1", "'; DROP TABLE users; --", "\" OR \"\"=\"", "') OR 1=1 --", "x' UNION SELECT * FROM users --", "%", "_",
        "*",
        "\\", "*)(uid=*))(|(uid=*", "{\"$ne\":null}", "[$ne]=1", "1; ATTACH DATABASE '/tmp/x' AS x", "${7*7}", "{{7*7}}",
    ]

    @Test(arguments: statements)
    func sqlInInputIsStoredAsText(_ text: String) async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        let ada = try await emulator.person()
        let query = Percent.encode(text)
        // In place of an address, of a password and of tokens.
        #expect(try await emulator.signIn(text, text).code == "invalid_credentials")
        #expect(try await emulator.signIn("ada@example.com", text).code == "invalid_credentials")
        #expect(["refresh_token_not_found", "validation_failed"].contains(try await emulator.refresh(text).code))
        let proof: JSON = ["type": "recovery", "token_hash": .string(text)]
        #expect(try await emulator.post("/verify", proof).code == "otp_expired")
        let code: JSON = ["type": "recovery", "email": "ada@example.com", "token": .string(text)]
        #expect(try await emulator.post("/verify", code).code == "otp_expired")
        #expect([401, 403].contains(try await emulator.get("/user", bearer: text).status))
        // In place of ids, filters, an order and pages.
        #expect(try await emulator.get("/admin/users/\(query)", bearer: emulator.admin).status == 404)
        let sorted = try await emulator.get("/admin/users?sort=\(query)", bearer: emulator.admin)
        #expect(sorted.status == 400)
        let paged = try await emulator.get("/admin/users?page=\(query)&per_page=\(query)", bearer: emulator.admin)
        #expect(paged.status == 400)
        let found = try await emulator.get("/admin/users?filter=\(query)", bearer: emulator.admin)
        // In the original, `%` and `_` are wildcards of the filter. Nothing else finds a user.
        #expect(found.json["users"]?.array?.count == (["%", "_"].contains(text) ? 1 : 0), "\(found.json.text())")
        // As a value it is stored unchanged.
        let named = try await emulator.put("/user", ["data": ["name": .string(text)]], bearer: ada["access_token"])
        #expect(named.json["user_metadata"]?["name"]?.string == text)
        #expect(try await emulator.get("/user", bearer: ada["access_token"]).json["user_metadata"]?["name"]?.string == text)
        #expect(try emulator.administrator.userCount() == 1)
        #expect(try await emulator.signIn("ada@example.com").status == 200)
    }

    /// Another spelling of a path does not bypass its authorization.
    @Test(arguments: ["/admin/users", "/user", "/factors", "/admin/audit", "/invite", "/logout"])
    func otherPathSpellingsBypassNoAuthorization(_ path: String) async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        let first = path.dropFirst().prefix { $0 != "/" }
        let spellings = [
            path, "/" + path, path + "/", path + ".", path + "//", path + "/.", path + "%2f", path + "%00", path + ";x=y",
            "/." + path,
            "/x/.." + path, "/%2e" + path, path.uppercased(), "/%2f" + path.dropFirst(),
            "/" + path.dropFirst().replacing("/", with: "%2f"), path.replacing("/", with: "//"),
            path.replacing("/", with: "/./"), "/%5c" + path.dropFirst(), "/v1" + path,
            path.replacing(first, with: first.prefix(1).uppercased() + first.dropFirst()),
            path.replacing(first.suffix(1), with: "%" + Hex.encode(Array(first.suffix(1).utf8))),
        ]
        for spelling in spellings {
            for method in [HTTPMethod.get, .post, .put, .delete] {
                for bearer in [nil, "x", try TestEmulator.sign(["sub": "1", "role": "service_role", "exp": 1])] {
                    let request = HTTPRequest(
                        method, emulator.server.base + spelling, headers: TestEmulator.headers(bearer),
                        body: method == .get ? .none : .json([:]))
                    let status = try await emulator.send(request).status
                    #expect([400, 401, 403, 404, 405].contains(status), "\(method) \(spelling): \(status)")
                }
            }
        }
        #expect(try emulator.administrator.userCount() == 1)
    }

    @Test func tokenAloneDecidesTheAccount() async throws {
        let emulator = try TestEmulator { $0.signIn.allowsManualLinking = true }
        let eve = try await emulator.person("eve@example.com")
        let ada = try await emulator.person("ada@example.com")
        let (own, other) = (ada.json["user"]?["id"] ?? .null, eve.json["user"]?["id"] ?? .null)
        let body: JSON = [
            "id": other, "user_id": other, "sub": other, "email": "ada@example.com", "data": ["name": "Ada"],
            "role": "service_role",
            "aud": "other",
        ]
        let path = "/user?user_id=\(other.string ?? "")&id=\(other.string ?? "")"
        let changed = try await emulator.put(path, body, bearer: ada["access_token"])
        #expect(changed.json["id"] == own && changed.json["role"] == "authenticated", "\(changed.json.text())")
        let raised = try await emulator.put("/user", ["app_metadata": ["admin": true]], bearer: ada["access_token"])
        #expect(raised.status == 403 && raised.code == "not_admin")
        let user = try await emulator.get("/user?user_id=\(other.string ?? "")", bearer: ada["access_token"])
        #expect(user.json["id"] == own)
        let untouched = try await emulator.get("/user", bearer: eve["access_token"])
        #expect(untouched.json["user_metadata"]?["name"] == nil && untouched.json["email"] == "eve@example.com")
        // The id does not give access to the other user's values.
        let app = try await emulator.post(
            "/factors", ["factor_type": "totp", "friendly_name": "app"], bearer: eve["access_token"])
        for response in [
            try await emulator.post("/factors/\(app["id"])/challenge", bearer: ada["access_token"]),
            try await emulator.delete("/factors/\(app["id"])", bearer: ada["access_token"]),
        ] { #expect([403, 404].contains(response.status), "\(response.status)") }
        let identity = untouched.json["identities"]?[0]?["identity_id"]?.string ?? ""
        #expect(try await emulator.delete("/user/identities/\(identity)", bearer: ada["access_token"]).status >= 400)
        // A sign-out ends the caller's sessions.
        let out: JSON = ["user_id": other, "session_id": TestEmulator.claims(eve["access_token"])["session_id"] ?? .null]
        #expect(try await emulator.post("/logout?scope=global", out, bearer: ada["access_token"]).status == 204)
        #expect(try await emulator.get("/user", bearer: eve["access_token"]).status == 200)
        #expect(try await emulator.refresh(eve["refresh_token"]).status == 200)
    }

    @Test func knownAndUnknownAddressesCostTheSame() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        // A user without a password, who signed in with an identity provider or a code.
        _ = try await emulator.post("/admin/users", ["email": "bob@example.com", "email_confirm": true], bearer: emulator.admin)
        func cost(_ body: () async throws -> TestEmulator.TestResponse) async throws -> Int {
            emulator.server.panel.advance(by: .seconds(1))
            let before = emulator.server.environment.passwordWork.count
            _ = try await body()
            return emulator.server.environment.passwordWork.count - before
        }
        for password in ["Wrong-Horse-1", String(repeating: "a", count: 80), "a\0b"] {
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
                #expect(try await cost { try await emulator.signIn(email, password) } == 1, "\(email)")
            }
        }
        for email in ["ada@example.com", "new@example.com"] {
            let body: JSON = ["email": .string(email), "password": .string(TestEmulator.password)]
            #expect(try await cost { try await emulator.post("/signup", body) } == 1, "\(email)")
        }
        for email in ["ada@example.com", "nobody@example.com"] {
            #expect(try await cost { try await emulator.post("/recover", ["email": .string(email)]) } == 0, "\(email)")
        }
    }
}
