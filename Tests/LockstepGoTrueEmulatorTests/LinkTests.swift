import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The redirects of links, with PKCE and without.
@Suite(.limitedConcurrency)
struct LinkTests {
    private static let proof: JSONObject = [
        "code_challenge": .string(String(repeating: "a", count: 43)), "code_challenge_method": "plain",
    ]

    private func link(_ emulator: TestEmulator, to address: String) throws -> String {
        try #require(emulator.server.panel.outbox.takeMail(to: address)?.link)
    }

    private func follow(_ emulator: TestEmulator, _ link: String) async throws -> String {
        let path = try #require(link.split(separator: "/verify").last)
        return try await emulator.get("/verify" + path).response.headers["location"] ?? ""
    }

    @Test func usedPKCELinkIsReported() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        var body = Self.proof
        body["email"] = "ada@example.com"
        _ = try await emulator.post("/recover?redirect_to=http://localhost:3000/cb?x=1", .object(body))
        let link = try link(emulator, to: "ada@example.com")
        let location = try await follow(emulator, link)
        let code = try #require(location.split(separator: "code=").last?.prefix(36))
        #expect(location.hasPrefix("http://localhost:3000/cb?code=") && location.hasSuffix("&x=1"))
        let error = "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired"
        #expect(try await follow(emulator, link) == "http://localhost:3000/cb?\(error)&x=1#\(error)&sb=")
        let exchange: JSON = ["auth_code": .string(String(code)), "code_verifier": .string(String(repeating: "a", count: 43))]
        let session = try await emulator.post("/token?grant_type=pkce", exchange)
        #expect(TestEmulator.claims(session["access_token"])["amr"]?[0]?["method"] == "recovery")
    }

    @Test(arguments: [false, true])
    func firstConfirmationOfAChangeKeepsTheQuery(_ hasProof: Bool) async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        var body = hasProof ? Self.proof : [:]
        body["email"] = "new@example.com"
        let path = "/user?redirect_to=http://localhost:3000/cb?b=2%26a=1"
        _ = try await emulator.put(path, .object(body), bearer: session["access_token"])
        let words = "message=Confirmation+link+accepted.+Please+proceed+to+confirm+link+sent+to+the+other+email"
        let location = try await follow(emulator, try link(emulator, to: "new@example.com"))
        #expect(location == "http://localhost:3000/cb?a=1&b=2\(hasProof ? "&" + words : "")#\(words)&sb=")
        let done = try await follow(emulator, try link(emulator, to: "ada@example.com"))
        #expect(done.contains(hasProof ? "code=" : "#access_token="))
        #expect(try emulator.administrator.account(email: "new@example.com") != nil)
    }

    @Test(arguments: [false, true])
    func codeOfAChangeIsUsedUpWithoutPKCE(_ hasProof: Bool) async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.person()
        var body = hasProof ? Self.proof : [:]
        body["email"] = "new@example.com"
        _ = try await emulator.put("/user", .object(body), bearer: session["access_token"])
        let code = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.code)
        let verification: JSON = ["type": "email_change", "email": "ada@example.com", "token": .string(code)]
        #expect(try await emulator.post("/verify", verification)["code"] == "200")
        let again = try await emulator.post("/verify", verification)
        #expect(hasProof ? again.json["user"]?["email"] == "new@example.com" : again.code == "otp_expired")
    }

    @Test func pkceFlowIsFoundByTheLinkType() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.person()
        var body = Self.proof
        body["email"] = "ada@example.com"
        _ = try await emulator.post("/recover", .object(body))
        let location = try await follow(
            emulator, try link(emulator, to: "ada@example.com").replacing("type=recovery", with: "type=magiclink"))
        let error =
            "error=invalid_request&error_code=flow_state_not_found&error_description=No+associated+flow+state+found.+422%3A+No+valid+flow+state+found+for+user."
        #expect(location == "http://localhost:3000?\(error)#\(error.replacing("%3A", with: "%253A"))&sb=")
    }

    @Test func addressTakenMeanwhileIsReportedByRedirect() async throws {
        let emulator = try TestEmulator { $0.mail.securesChange = false }
        let bearer = try await emulator.person()["access_token"]
        _ = try await emulator.put("/user", ["email": "new@example.com"], bearer: bearer)
        let link = try link(emulator, to: "new@example.com")
        try emulator.administrator.createUser(email: "new@example.com")
        let location = try await follow(emulator, link)
        #expect(
            location
                == "http://localhost:3000#error=server_error&error_code=unexpected_failure&error_description=Error+confirm+email&sb="
        )
    }

    @Test func aSignUpForAnUnknownAddressKeepsItsData() async throws {
        let emulator = try TestEmulator()
        let body: JSON = ["type": "magiclink", "email": "new@example.com", "data": ["team": "red"]]
        let link = try await emulator.post("/admin/generate_link", body, bearer: emulator.admin)
        #expect(link["verification_type"] == "signup" && link.json["user_metadata"]?["team"] == "red")
    }

    @Test func unlinkingChecksTheTokensAudience() async throws {
        let emulator = try TestEmulator { $0.signIn.allowsManualLinking = true }
        let session = try await emulator.person()
        var headers = TestEmulator.headers(session["access_token"])
        headers.append("X-JWT-AUD", "other")
        let id = session.json["user"]?["identities"]?[0]?["identity_id"]?.string ?? ""
        let refused = try await emulator.send(
            HTTPRequest(.delete, emulator.server.base + "/user/identities/\(id)", headers: headers))
        #expect(refused.status == 403 && refused.code == "unexpected_audience")
    }
}
