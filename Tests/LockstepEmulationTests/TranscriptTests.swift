import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A transcript contains no usable secret.
@Suite(.limitedConcurrency)
struct TranscriptTests {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    private func transcript(
        _ target: String, _ method: String = "POST", headers: [String: String] = [:], body: String = ""
    ) async throws -> String {
        var text = ""
        try await withServer { server async throws in
            _ = try await send(method, target, to: server, headers: headers, body: body)
            text = try await send("GET", "/__lockstep/transcript", to: server, headers: server.control).body
        }
        return text
    }

    @Test(arguments: [
        #"{"totp":{"uri":"otpauth://totp/x?secret=CANARYSECRET2345&issuer=y"}}"#,
        #"{"url":"https://h.example/v1/tickets/accept?ticket=canary-7f3a9e1b"}"#,
        #"{"link":"https://h.example/emulator/action?mode=verifyEmail&oobCode=canary-7f3a9e1b&apiKey=x"}"#,
        #"{"list":["cAnArY7f3a9e1b4c5d6e7f8a","Bearer canary-7f3a9e1b",["otpauth://totp/x?secret=CANARYSECRET2345"]]}"#,
        #"{"backup_codes":["canary11","canary22"],"recovery_codes":["canary33"]}"#,
        #"{"code":"canary-1","phone_code":"canary2"}"#,
        #"{"users":[{"password_hash":"$2a$10$canarycanarycanarycanary","salt":"canary"}],"passwordHash":"canary-x"}"#,
        #"{"note":"$argon2id$v=19$m=1$canarysalt$canaryhash"}"#,
        #"{"smtp_pass":"canary","sk":"sk_test_canary","k":"sb_secret_canary"}"#,
        #"{"next":"https://user:canary@h.example/x#access_token=canary-7f3a9e1b"}"#,
        #"{"code_verifier":"canary","note":"canary"}"#,
        #"{"svg":"data:image/svg+xml;base64,canary"}"#, #"{"canary-7f3a9e1b4c5d6e7f8a9b0c1d":1}"#,
        #"{"sessionId":"canary-7f3a9e1b"}"#, #"{"access":"canary-7f3a9e1b","refresh":"canary-short"}"#,
        #"{"otp":555123,"copy":"is 555123!"}"#,
        #"{"key":"-----BEGIN PRIVATE KEY-----canary"}"#,
    ])
    func bodiesShowNoSecret(body: String) async throws {
        let text = try await transcript("/ada:shout", headers: ["Content-Type": "application/json"], body: body).lowercased()
        #expect(!text.contains("canary"), "\(text)")
        #expect(!text.contains("555123"), "\(text)")
    }

    @Test(arguments: [
        ("X-Anything", "Bearer canary-7f3a9e1b"), ("X-Forwarded-Authorization", "canary-7f3a9e1b"), ("X-Note", "Basic canary"),
        ("X-Anything", "a, \(jwt)"), ("Set-Cookie", "__client=canary-7f3a9e1b; Path=/"),
        ("Referer", "https://h/?token=canary-7f3a9e1b#canary=1"),
        ("Location", "https://h/cb?code=canary-7f3a9e1b"), ("Location", "https://h/cb?\u{301}a=1&code=canary-7f3a9e1b"),
        ("Location", "https://h/cb#\u{301}a=1&code=canary-7f3a9e1b"), ("X-Note", "a,\u{301}b;\u{301} \(jwt);\u{301}"),
        ("X-Api-Key", "canary-7f3a9e1b"), ("X-Note", "https://u:canary@h/"),
    ])
    func headersShowNoSecret(name: String, value: String) async throws {
        let text = try await transcript("/ada:shout", headers: [name: value]).lowercased()
        #expect(!text.replacing("canary=", with: "").contains("canary"), "\(text)")
        #expect(!text.contains("eyj"), "\(text)")
    }

    @Test(arguments: [
        "/files/\(jwt)/x", "/files/cAnArY7f3a9e1b4c5d6e7f8a9b0c/x", "/files/x?state=\(jwt)", "/files/x?ticket=canary-7f3a9e1b",
        "/files/x?redirect=https%3A%2F%2Fh%2F%3Fcode%3Dcanary-7f3a9e1b",
        "/files/x?redirect=https%3A%2F%2Fh%2F%3F%CC%81a%3D1%26code%3Dcanary-7f3a9e1b",
        "/files/x?redirect=https%3A%2F%2Fcanary%40%CC%81h%2F", "/files/x?redirect=https%3A%2F%2F%CC%81u%3Acanary%40h%2F",
    ])
    func addressesShowNoSecret(target: String) async throws {
        let text = try await transcript(target, "GET").lowercased()
        #expect(!text.contains("canary"), "\(text)")
        #expect(!text.contains("eyj"), "\(text)")
    }

    /// A secret of one exchange is masked in every other one.
    @Test func secretOfOneExchangeIsMaskedInAll() async throws {
        try await withServer { server async throws in
            let json = ["Content-Type": "application/json"]
            _ = try await send("POST", "/ada:shout", to: server, headers: json, body: #"{"refresh_token":"short-canary"}"#)
            _ = try await send("GET", "/files/short-canary/short%2Dcanary", to: server, headers: ["X-Note": "is short-canary"])
            _ = try await send(
                "POST", "/ada:shout", to: server, headers: json, body: #"{"list":["short-canary"],"short-canary":1}"#)
            _ = try await send(
                "POST", "/mail", to: server, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "to=a%40b.c")
            _ = try await send("GET", "/files/123456", to: server)
            server.panel.outbox.reset()
            let text = try await send("GET", "/__lockstep/transcript", to: server, headers: server.control).body
            #expect(!text.contains("canary"), "\(text)")
        }
    }

    @Test func mailedCodesAreMasked() async throws {
        try await withServer { server async throws in
            _ = try await send(
                "POST", "/mail", to: server, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "to=a%40b.c")
            _ = try await send("GET", "/files/123456", to: server)
            let text = try await send("GET", "/__lockstep/transcript", to: server, headers: server.control).body
            #expect(!text.contains("123456"), "\(text)")
        }
    }

    @Test func helpfulValuesAreNotMasked() async throws {
        let body =
            #"{"email":"ada@example.com","error_code":"weak_password","code":422,"id":"1b671a64-40d5-491e-99b0-da01ff1f3341","client_id":"client_2abcdefghijklmnopqrstuvwxyz0","session_id":"sess_2abcdefghijklmnopqrstuvwxyz1","status":"needs_first_factor","returnSecureToken":true,"expires_in":3600,"strategy":"email_code"}"#
        let text = try await transcript(
            "/ada:shout?page=2&redirect_to=myapp%3A%2F%2Fcallback",
            headers: [
                "Content-Type": "application/json", "User-Agent": "Orders/1.0 (Linux; x86_64)",
                "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            ], body: body)
        for part in [
            "ada@example.com", "weak_password", "422", "1b671a64-40d5-491e-99b0-da01ff1f3341",
            "client_2abcdefghijklmnopqrstuvwxyz0", "sess_2abcdefghijklmnopqrstuvwxyz1",
            "needs_first_factor", "3600", "email_code", "myapp://callback", "Orders/1.0 (Linux; x86_64)", "/ada:shout",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] { #expect(text.contains(part), "\(part) is gone: \(text)") }
    }
}
