import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The response to any request is an error in the server's format: no internal error, no missing response.
@Suite(.limitedConcurrency)
struct HostileInputTests {
    /// Internal errors that the real server also returns.
    private static let allowed: Set = [
        "Internal Server Error", "Unexpected failure, please check server logs for more information", "Error creating user",
        "Database error creating new user", "Error updating user",
    ]

    private static let routes: [(method: HTTPMethod, path: String, fields: [String])] = [
        (
            .post, "/signup",
            ["email", "phone", "password", "data", "channel", "code_challenge", "code_challenge_method", "gotrue_meta_security"]
        ),
        (.post, "/token?grant_type=password", ["email", "phone", "password"]),
        (.post, "/token?grant_type=refresh_token", ["refresh_token"]),
        (.post, "/token?grant_type=pkce", ["auth_code", "code_verifier"]),
        (
            .post, "/token?grant_type=id_token",
            ["provider", "id_token", "nonce", "access_token", "link_identity", "issuer", "client_id"]
        ),
        (.post, "/otp", ["email", "phone", "create_user", "data", "channel"]),
        (.post, "/magiclink", ["email", "data"]),
        (.post, "/recover", ["email", "code_challenge"]),
        (.post, "/resend", ["type", "email", "phone"]),
        (.post, "/verify", ["type", "token", "token_hash", "email", "phone", "redirect_to"]),
        (.put, "/user", ["email", "phone", "password", "nonce", "data", "app_metadata", "current_password"]),
        (.post, "/factors", ["factor_type", "friendly_name", "issuer", "phone"]),
        (.post, "/factors/11111111-1111-4111-8111-111111111111/verify", ["challenge_id", "code", "webauthn"]),
        (.post, "/passkeys/authentication/verify", ["challenge_id", "credential"]),
        (
            .post, "/admin/users",
            [
                "id", "email", "phone", "password", "password_hash", "email_confirm", "user_metadata", "app_metadata", "role",
                "aud", "ban_duration",
            ]
        ),
        (.post, "/admin/generate_link", ["type", "email", "new_email", "password", "data", "redirect_to"]),
        (.post, "/invite", ["email", "data"]),
        (.post, "/logout", []),
    ]

    private static let values: [JSON] = [
        .null, true, 0, -1, 1.5, .double(1e300), .int(.max), "", "x", "\u{0}", "ada@example.com", "+15551234567",
        .string(String(repeating: "é", count: 200)), [], [1, "a", nil], [:], ["a": ["b": [1]]], ["captcha_token": 7],
        "11111111-1111-4111-8111-111111111111", "signup", "recovery", "totp", "keycloak", "a.b.c", "' OR 1=1 --",
        "$argon2id$v=19$x",
    ]

    private func hold(_ answer: TestEmulator.TestResponse, _ what: String) {
        #expect(answer.status < 500 || Self.allowed.contains(answer["msg"]), "\(what): \(answer.status) \(answer.json.text())")
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomBodiesAreRejected(_ seed: UInt64) async throws {
        let emulator = try TestEmulator()
        let account = try emulator.administrator.createUser(email: "bob@example.com", password: "Correct-Horse-1")
        #expect(!account.id.isEmpty)
        let user = try await emulator.signIn("bob@example.com")["access_token"]
        let admin = emulator.server.emulator.serviceRoleKey.reveal()
        let dice = SeededRandomness(seed: seed)
        func roll(_ count: Int) -> Int { dice.bytes(4).reduce(0) { $0 << 8 | Int($1) } % count }
        for _ in 0..<150 {
            let route = Self.routes[roll(Self.routes.count)]
            var body = JSONObject()
            for field in route.fields where roll(3) > 0 { body[field] = Self.values[roll(Self.values.count)] }
            let bearer = route.path.hasPrefix("/admin") || route.path == "/invite" ? admin : user
            let isBearer = roll(5) > 0
            let request = HTTPRequest(
                route.method, emulator.server.base + route.path, headers: TestEmulator.headers(isBearer ? bearer : nil),
                body: .json(.object(body)))
            hold(try await emulator.send(request), "\(route.method.rawValue) \(route.path) \(JSON.object(body).text())")
        }
    }

    private static let odd: [[UInt8]] = {
        let deep = String(repeating: "{\"a\":", count: 5000)
        let texts = [
            "{\"email\":1e999}", "{\"email\":\"a@b.c\",\"email\":2}", "{\"data\":" + deep + "1", "\u{feff}{}",
            "{\"email\":\"\\ud800\"}", "", "\u{0}", "nul", "{\"data\":{\"\":null,\"\":1}}",
            String(repeating: "[", count: 100_000),
            String(repeating: "9", count: 1_000_000),
        ]
        var broken = Array("{\"email\":\"".utf8)
        broken += [0xff, 0xfe, 0xc0]
        broken += Array("\"}".utf8)
        return texts.map { Array($0.utf8) } + [broken]
    }()

    @Test(arguments: odd.indices)
    func invalidBytesAreRejected(_ index: Int) async throws {
        let bytes = Self.odd[index]
        let emulator = try TestEmulator { $0.signIn.allowsAnonymous = false }
        for path in ["/signup", "/otp", "/token?grant_type=password", "/verify", "/recover"] {
            let request = HTTPRequest(.post, emulator.server.base + path, body: HTTPBody(bytes, type: "application/json"))
            let answer = try await emulator.send(request)
            #expect((400..<500).contains(answer.status), "\(path): \(answer.status)")
            #expect(answer.code != nil)
        }
    }

    @Test func oneOfConcurrentSignUpsSucceeds() async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        let body: JSON = ["email": "ada@example.com", "password": .string(TestEmulator.password)]
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await emulator.post("/signup", body).code ?? "ok" } }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["ok": 1, "user_already_exists": 99])
        let users = try await emulator.get("/admin/users", bearer: emulator.admin).json["users"]?.array
        #expect(users?.count == 1)
    }

    @Test func unusualTargetsGetAResponse() async throws {
        let emulator = try TestEmulator()
        for path in [
            "/verify?type=signup&token=%00", "/verify?type=signup&token=x&redirect_to=%zz", "/authorize?provider=%F0%9F%92%A9",
            "/callback?state=%2e%2e", "/admin/users?page=99999999999999999999", "/admin/users?per_page=9223372036854775807",
            "/admin/users?page=18446744073709551615&per_page=18446744073709551615", "/factors//verify", "/user/identities/%2e",
            "/verify?type=signup&token=x&redirect_to=http://localhost:3000/%0d%0aSet-Cookie:a", "/.well-known/",
        ] {
            let answer = try await emulator.get(path, bearer: emulator.server.emulator.serviceRoleKey.reveal())
            #expect(answer.status < 500, "\(path): \(answer.status)")
            #expect(answer.response.headers["set-cookie"] == nil)
        }
    }
}
