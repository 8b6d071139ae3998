import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Searches the transcript for every secret that was issued.
@Suite(.limitedConcurrency)
struct TranscriptTests {
    @Test func transcriptShowsNoIssuedSecret() async throws {
        let emulator = try TestEmulator()
        var secrets: [String] = [TestEmulator.password]
        func keep(_ response: TestEmulator.TestResponse) {
            for name in [
                "idToken", "refreshToken", "id_token", "access_token", "refresh_token", "oobCode", "mfaPendingCredential",
            ]
            where !response[name].isEmpty {
                secrets.append(response[name])
            }
            for part in response["oobLink"].split(whereSeparator: { "?&".contains($0) }) where part.hasPrefix("oobCode=") {
                secrets.append(String(part.dropFirst("oobCode=".count)))
            }
        }
        keep(try await emulator.signUp("eve@example.com"))
        try emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        let ada = try await emulator.signIn()
        keep(ada)
        keep(try await emulator.refresh(ada["refreshToken"]))
        for type in ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"] {
            keep(
                try await emulator.manage(
                    "accounts:sendOobCode",
                    [
                        "requestType": .string(type), "email": "ada@example.com", "returnOobLink": true,
                        "continueUrl": "http://localhost/",
                    ]))
        }
        let links = secrets.count
        _ = try await emulator.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let link = try #require(emulator.link(to: "ada@example.com"))
        _ = try await emulator.send(HTTPRequest(.get, link))
        let code = try #require(Percent.decodeForm(link.split(separator: "?").last ?? "")?.first { $0.name == "oobCode" }?.value)
        keep(try await emulator.call("accounts:resetPassword", ["oobCode": .string(code), "newPassword": "another horse 2"]))
        secrets += [code, "another horse 2"]
        let again = try await emulator.signIn(password: "another horse 2")
        keep(again)
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": .string(again["idToken"]), "totpEnrollmentInfo": [:]])
        let info = start.json["totpSessionInfo"]
        let (secret, session) = (info?["sharedSecretKey"]?.string ?? "", info?["sessionInfo"]?.string ?? "")
        let now = AuthenticatorApp(secret: secret).code(at: emulator.server.environment.now)
        keep(
            try await emulator.call2(
                "accounts/mfaEnrollment:finalize",
                [
                    "idToken": .string(again["idToken"]), "displayName": "app",
                    "totpVerificationInfo": ["sessionInfo": .string(session), "verificationCode": .string(now)],
                ]))
        keep(try await emulator.signIn(password: "another horse 2"))
        secrets += [secret, session, now]
        let hash = "JDJiJDA0JGFiY2RlZmdoaWprbG1ub3BxcnN0dXVuQk1nQnlhSUFaWXVGZ01VakJ4OGFhZVUvOVdlNXhh"
        let users: JSON = [
            ["localId": "user-1", "email": "old@example.com", "passwordHash": .string(hash), "salt": "c2FsdHNhbHQ="]
        ]
        _ = try await emulator.manage(
            "accounts:batchCreate", ["hashAlgorithm": "BCRYPT", "signerKey": "c2lnbmVyLWtleQ==", "users": users])
        secrets += [hash, "c2FsdHNhbHQ=", "c2lnbmVyLWtleQ=="]
        for secret in secrets.prefix(8) {
            _ = try await emulator.send(
                HTTPRequest(.get, emulator.server.base + "/nowhere/" + Percent.encode(secret), headers: ["X-Odd": secret]))
            _ = try await emulator.call("accounts:nowhere", ["list": [.string(secret)], "note": .string("it is \(secret)")])
        }

        let shown = emulator.server.panel.shownTranscript.map { $0.text() }.joined(separator: "\n")
        #expect(shown.contains("ada@example.com") && links > 6 && secrets.count > 20 && secrets.allSatisfy { $0.count >= 6 })
        for secret in secrets {
            for form in [secret, Percent.encode(secret)] { #expect(!shown.contains(form), "\(secret) is shown") }
        }
    }

    @Test func transcriptShowsTimesOfUsers() async throws {
        let emulator = try TestEmulator()
        let ada = try await emulator.signUp("ada@example.com")
        _ = try await emulator.call("accounts:lookup", ["idToken": .string(ada["idToken"])])
        let user = emulator.server.panel.shownTranscript.last?["answer"]?["users"]?[0]
        #expect(user?["passwordUpdatedAt"]?.double ?? 0 > 1_000_000_000, "\(user?.text() ?? "none")")
    }
}
