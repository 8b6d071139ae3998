import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct LimitTests {
    private func ask(_ emulator: TestEmulator, _ grant: String) async throws -> Int {
        var headers = HTTPHeaders()
        headers.append("X-Caller", "10.0.0.1")
        let address = emulator.server.base + "/token?grant_type=\(grant)"
        return try await emulator.send(HTTPRequest(.post, address, headers: headers, body: .json([:]))).status
    }

    @Test func unknownGrantsAreNotCounted() async throws {
        let emulator = try TestEmulator { $0.limits.header = "X-Caller" }
        for _ in 0..<40 { #expect(try await ask(emulator, "client_credentials") == 400) }
        for _ in 0..<30 { #expect(try await ask(emulator, "web3") == 422) }
        #expect(try await ask(emulator, "web3") == 429)
        #expect(try await ask(emulator, "password") == 400, "They have a bucket of their own.")
    }

    @Test func captchaIsRequiredForEveryGrantButThree() async throws {
        let emulator = try TestEmulator { $0.asksForCaptcha = true }
        for grant in ["password", "web3", "nothing"] {
            #expect(try await emulator.post("/token?grant_type=\(grant)").code == "captcha_failed")
        }
        for grant in ["refresh_token", "pkce", "id_token"] {
            #expect(try await emulator.post("/token?grant_type=\(grant)").code != "captcha_failed")
        }
    }

    @Test(arguments: ["10000000-aaaa-bbbb-cccc-000000000001", "XXXX.DUMMY.TOKEN.XXXX"])
    func testTokensPassAsCaptchas(_ token: String) async throws {
        let emulator = try TestEmulator { $0.asksForCaptcha = true }
        func ask(_ token: String) async throws -> String? {
            try await emulator.post(
                "/token?grant_type=password",
                ["email": "a@example.com", "password": "Wrong-1", "gotrue_meta_security": ["captcha_token": .string(token)]]
            ).code
        }
        #expect(try await ask("another") == "captcha_failed")
        #expect(try await ask(token) == "invalid_credentials")
    }

    @Test(arguments: [(false, false), (true, true)])
    func headersAllowOtherOrigins(_ isListed: Bool, _ isAllowed: Bool) async throws {
        let emulator = try TestEmulator { $0.allowedHeaders = isListed ? ["X-Own"] : [] }
        var headers = HTTPHeaders()
        headers.append("Origin", "https://app.example.com")
        headers.append("Access-Control-Request-Method", "POST")
        headers.append("Access-Control-Request-Headers", "x-own, content-type")
        let answer = try await emulator.send(HTTPRequest(.options, emulator.server.base + "/token", headers: headers))
        #expect(answer.status == 204)
        #expect((answer.response.headers["access-control-allow-origin"] == "*") == isAllowed)
    }
}
