import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Searches the transcript for every secret that was issued.
@Suite(.limitedConcurrency)
struct TranscriptTests {
    @Test func transcriptShowsNoIssuedSecret() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        var secrets: [String] = [TestEmulator.password, emulator.server.emulator.secretKey.reveal()]
        try await device.signUp()
        secrets += [emulator.code(to: "ada@example.com"), device.token]
        let token = try await device.sessionToken()
        secrets.append(token.json["jwt"]?.string ?? "")
        let made = try await device.post("/me/totp")
        secrets += [made["secret"], made["uri"]]
        let code = Authenticator.code(made["secret"], at: emulator.server.panel.clock.now)
        let proven = try await device.post("/me/totp/attempt_verification", ["code": code])
        secrets += [code] + proven.list("backup_codes")

        let other = emulator.device()
        _ = try await other.prepare("reset_password_email_code")
        secrets += [emulator.code(to: "ada@example.com"), other.token]
        let user = try #require(try emulator.admin.user(withAddress: "ada@example.com"))
        let ticket = try await emulator.backend(
            .post, "/sign_in_tokens", ["user_id": .string(user.id), "expires_in_seconds": 60])
        secrets += [ticket.json["token"]?.string ?? "", ticket.json["url"]?.string ?? ""]
        _ = try await emulator.device().post(
            "/client/sign_ins", ["strategy": "ticket", "ticket": ticket.json["token"]?.string ?? ""])
        let invitation = try await emulator.backend(
            .post, "/invitations", ["email_address": "eve@example.com", "redirect_url": "https://app.example/welcome"])
        secrets.append(invitation.json["url"]?.string ?? "")
        _ = try await emulator.send(HTTPRequest(.get, invitation.json["url"]?.string ?? ""))
        secrets.append(emulator.link(to: "eve@example.com"))
        let hash = "$2a$04$abcdefghijklmnopqrstuunBMgByaIAZYuFgMUjBx8aaeU/9We5xa"
        _ = try await emulator.backend(
            .post, "/users",
            ["email_address": ["old@example.com"], "password_digest": .string(hash), "password_hasher": "bcrypt"])
        secrets = (secrets + [hash]).filter { !$0.isEmpty }
        for secret in secrets.prefix(8) {
            _ = try await emulator.send(
                HTTPRequest(.get, emulator.server.base + "/v1/nowhere/" + Percent.encode(secret), headers: ["X-Odd": secret]))
            _ = try await emulator.backend(.post, "/nowhere", ["list": [.string(secret)], "note": .string("it is \(secret)")])
        }

        let shown = emulator.server.panel.shownTranscript.map { $0.text() }.joined(separator: "\n")
        #expect(shown.contains("ada@example.com") && secrets.count > 15, "\(secrets.count)")
        for secret in secrets {
            for form in [secret, Percent.encode(secret)] { #expect(!shown.contains(form), "\(secret) is shown") }
        }
    }

    @Test func transcriptShowsNamesAndTimesOfUsers() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let user = try #require(try emulator.admin.user(withAddress: "ada@example.com"))
        _ = try await emulator.backend(.get, "/users/\(user.id)")
        let answer = try #require(emulator.server.panel.shownTranscript.last?["answer"])
        #expect(answer["primary_web3_wallet_id"] != nil, "\(answer.text())")
        for name in ["password_last_updated_at", "created_at", "updated_at"] {
            #expect(answer[name]?.int ?? 0 > 1_000_000_000, "\(name): \(answer[name]?.text() ?? "none")")
        }
    }
}
