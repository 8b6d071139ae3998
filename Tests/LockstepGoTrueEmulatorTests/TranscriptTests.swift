import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Searches the transcript for every secret that was issued.
@Suite(.limitedConcurrency)
struct TranscriptTests {
    @Test func transcriptShowsNoIssuedSecret() async throws {
        let emulator = try TestEmulator()
        var secrets: [String] = [TestEmulator.password, emulator.admin]
        func keep(_ response: TestEmulator.TestResponse) {
            for name in ["access_token", "refresh_token", "action_link", "email_otp", "hashed_token"]
            where !response[name].isEmpty {
                secrets.append(response[name])
            }
        }
        func messages() -> [String] {
            let outbox = emulator.server.panel.outbox
            return outbox.mails.flatMap { [$0.code, $0.link].compactMap(\.self) } + outbox.shortMessages.compactMap(\.code)
        }

        let verifier = "verifier-7f3a9e1b-4c5d-6e7f-8a9b-0c1d2e3f4a5b-x"
        _ = try await emulator.post(
            "/signup",
            [
                "email": "new@example.com", "password": .string(TestEmulator.password), "code_challenge": .string(verifier),
                "code_challenge_method": "plain",
            ])
        for link in messages() where link.contains("://") { _ = try await emulator.send(HTTPRequest(.get, link)) }
        let ada = try await emulator.person()
        keep(ada)
        _ = try await emulator.post("/recover", ["email": "ada@example.com"])
        let mail = try #require(emulator.server.panel.outbox.mails(to: "ada@example.com").first)
        let recovered = try await emulator.post(
            "/verify", ["type": "recovery", "email": "ada@example.com", "token": .string(mail.code ?? "")])
        keep(recovered)
        _ = try await emulator.put("/user", ["password": "Another-Horse-2"], bearer: recovered["access_token"])
        secrets.append("Another-Horse-2")
        let renewed = try await emulator.refresh(recovered["refresh_token"])
        keep(renewed)
        let app = try await emulator.enrollApp(renewed["access_token"])
        secrets.append(app.secret)
        keep(app.session)
        _ = try await emulator.post("/otp", ["phone": "+15551234567"])
        for type in ["magiclink", "recovery"] {
            keep(
                try await emulator.post(
                    "/admin/generate_link", ["type": .string(type), "email": "ada@example.com"], bearer: emulator.admin))
        }
        let hash = "$2a$04$abcdefghijklmnopqrstuunBMgByaIAZYuFgMUjBx8aaeU/9We5xa"
        _ = try await emulator.post(
            "/admin/users", ["email": "old@example.com", "password_hash": .string(hash)], bearer: emulator.admin)
        secrets += [hash, verifier] + messages()
        for secret in secrets.prefix(8) {
            _ = try await emulator.send(
                HTTPRequest(.get, emulator.server.base + "/nowhere/" + Percent.encode(secret), headers: ["X-Odd": secret]))
            _ = try await emulator.post("/nowhere", ["list": [.string(secret)], "note": .string("it is \(secret)")])
        }

        let shown = emulator.server.panel.shownTranscript.map { $0.text() }.joined(separator: "\n")
        #expect(shown.contains("ada@example.com") && secrets.count > 15)
        for secret in secrets {
            for form in [secret, Percent.encode(secret)] { #expect(!shown.contains(form), "\(secret) is shown") }
            for value in secret.split(whereSeparator: { "?#&=".contains($0) })
            where value.utf8.count > 30 && !value.contains("://") {
                #expect(!shown.contains(value), "\(value) of \(secret) is shown")
            }
        }
    }
}
