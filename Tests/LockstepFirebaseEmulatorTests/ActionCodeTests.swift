import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Mailed codes and the pages of their links.
@Suite(.limitedConcurrency)
struct ActionCodeTests {
    private func code(in link: String) throws -> String {
        let query = try #require(link.split(separator: "?").last)
        return try #require(Percent.decodeForm(query)?.first { $0.name == "oobCode" }?.value)
    }

    private func verification(_ emulator: TestEmulator) async throws -> (token: String, link: String) {
        let session = try await emulator.signUp()
        let sent = try await emulator.call(
            "accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])])
        #expect(sent["email"] == "ada@example.com")
        return (session["idToken"], try #require(emulator.link(to: "ada@example.com")))
    }

    @Test func openingThePageDoesNotUseTheCode() async throws {
        let emulator = try TestEmulator()
        let (token, link) = try await verification(emulator)
        #expect(link.hasPrefix(emulator.server.base + "/__/auth/action?mode=verifyEmail"))
        for method in [HTTPMethod.get, .head, .get] {
            #expect(try await emulator.send(HTTPRequest(method, link)).status == 200)
        }
        #expect(try await emulator.lookup(token).json["users"]?[0]?["emailVerified"] == false)
        let form: HTTPForm = ["mode": "verifyEmail", "oobCode": try code(in: link)]
        let page = HTTPRequest(.post, emulator.server.base + "/__/auth/action", body: .form(form))
        #expect(try await emulator.send(page).status == 200)
        #expect(try await emulator.lookup(token).json["users"]?[0]?["emailVerified"] == true)
        #expect(try await emulator.send(page).status == 400)
    }

    @Test func emulatorModeLinkActsWhenOpened() async throws {
        let emulator = try TestEmulator(.emulator)
        let (token, link) = try await verification(emulator)
        #expect(try await emulator.send(HTTPRequest(.head, link)).status == 200)
        #expect(try await emulator.lookup(token).json["users"]?[0]?["emailVerified"] == true)
        #expect(try await emulator.send(HTTPRequest(.get, link)).status == 400)
    }

    @Test func codesExpire() async throws {
        let emulator = try TestEmulator()
        let (_, link) = try await verification(emulator)
        let body: JSON = ["oobCode": .string(try code(in: link))]
        emulator.pass(3 * 86_400 + 1)
        #expect(try await emulator.call("accounts:update", body).code == "EXPIRED_OOB_CODE")

        let early = try TestEmulator()
        let (_, young) = try await verification(early)
        early.pass(3 * 86_400 - 1)
        #expect(try await early.call("accounts:update", ["oobCode": .string(try code(in: young))]).status == 200)
    }

    @Test func aResetEndsSessionsAndTheOldPassword() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        emulator.pass(5)
        _ = try await emulator.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let code = JSON.string(try code(in: try #require(emulator.link(to: "ada@example.com"))))
        #expect(try await emulator.call("accounts:resetPassword", ["oobCode": code])["requestType"] == "PASSWORD_RESET")
        #expect(
            try await emulator.call("accounts:resetPassword", ["oobCode": code, "newPassword": "no"]).code == "WEAK_PASSWORD")
        let reset = try await emulator.call("accounts:resetPassword", ["oobCode": code, "newPassword": "another one"])
        #expect(reset["email"] == "ada@example.com")
        #expect(
            try await emulator.call("accounts:resetPassword", ["oobCode": code, "newPassword": "a third one"]).code
                == "INVALID_OOB_CODE")
        #expect(try await emulator.signIn().code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await emulator.signIn(password: "another one").status == 200)
        #expect(try await emulator.refresh(session["refreshToken"]).code == "TOKEN_EXPIRED")
    }

    @Test func oneOfConcurrentUsesSucceeds() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        _ = try await emulator.call("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let code = JSON.string(try code(in: try #require(emulator.link(to: "ada@example.com"))))
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let body: JSON = ["oobCode": code, "newPassword": .string("password \(number)")]
                    return try await emulator.call("accounts:resetPassword", body).code ?? "ok"
                }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["ok": 1, "INVALID_OOB_CODE": 7])
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example/", "\\\\evil.example", "https://localhost@evil.example/",
        "http://localhost.evil.example/",
        "http://localhost\\@evil.example/", "http://xlocalhost/", "http://loc\u{430}lhost/", "javascript://localhost/%0aalert(1)",
        "http:localhost", "http:///localhost", "http://evil.example#@localhost/", "http://evil.example?localhost",
        "http://localhost\r\n.evil.example/", "http://localhost\0.evil.example/", "data:text/html,localhost",
    ])
    func pageOfAnotherDomainIsRejected(_ page: String) async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        for kind in ["EMAIL_SIGNIN", "PASSWORD_RESET"] {
            let body: JSON = ["requestType": .string(kind), "email": "ada@example.com", "continueUrl": .string(page)]
            let code = try await emulator.call("accounts:sendOobCode", body).code
            #expect(["UNAUTHORIZED_DOMAIN", "INVALID_CONTINUE_URI"].contains(code), "\(kind): \(code ?? "taken")")
            #expect(emulator.link(to: "ada@example.com") == nil)
        }
    }

    @Test func signInLinksNeedAPageOfTheProject() async throws {
        let emulator = try TestEmulator()
        func send(_ url: JSON?) async throws -> String? {
            var body: JSONObject = ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com"]
            body["continueUrl"] = url
            return try await emulator.call("accounts:sendOobCode", .object(body)).code
        }
        #expect(try await send(nil) == "MISSING_CONTINUE_URI")
        #expect(try await send("no url") == "INVALID_CONTINUE_URI")
        #expect(try await send("https://evil.example/") == "UNAUTHORIZED_DOMAIN")
        #expect(try await send("http://localhost/done") == nil)
        let code = JSON.string(try code(in: try #require(emulator.link(to: "ada@example.com"))))
        let foreign = try await emulator.call("accounts:signInWithEmailLink", ["email": "b@example.com", "oobCode": code])
        #expect(foreign.code == "INVALID_EMAIL")
        let first = try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": code])
        #expect(first.json["isNewUser"] == true)
        let again = try await emulator.call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": code])
        #expect(again.code == "INVALID_OOB_CODE")
    }

    @Test func mailsHaveAMinimumInterval() async throws {
        let emulator = try TestEmulator { $0.limits.mailInterval = .seconds(60) }
        let (token, _) = try await verification(emulator)
        let body: JSON = ["requestType": "VERIFY_EMAIL", "idToken": .string(token)]
        #expect(try await emulator.call("accounts:sendOobCode", body).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        emulator.pass(61)
        #expect(try await emulator.call("accounts:sendOobCode", body).status == 200)
    }

    @Test func failedMailCreatesNoCode() async throws {
        let emulator = try TestEmulator(.emulator)
        let session = try await emulator.signUp()
        emulator.server.panel.outbox.isReachable = false
        let sent = try await emulator.call(
            "accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(session["idToken"])])
        #expect(sent.status == 500)
        let codes = try await emulator.get("/emulator/v1/projects/\(emulator.server.emulator.settings.project)/oobCodes")
        #expect(codes.json["oobCodes"] == [])
    }

    /// Production accepts only the project's own Hosting domains.
    ///
    /// Firebase's emulator does not check the domain.
    @Test func linkDomainMustBelongToTheProject() async throws {
        let strict = try TestEmulator()
        _ = try await strict.signUp()
        let project = strict.server.emulator.settings.project
        func send(_ emulator: TestEmulator, _ domain: String) async throws -> TestEmulator.TestResponse {
            try await emulator.manage(
                "accounts:sendOobCode",
                [
                    "requestType": "PASSWORD_RESET", "email": "ada@example.com", "continueUrl": "http://localhost/done",
                    "linkDomain": .string(domain), "returnOobLink": true,
                ])
        }
        let refused = try await send(strict, "links.example.com")
        #expect(refused.status == 400 && refused.code == "INVALID_HOSTING_LINK_DOMAIN")
        for domain in ["\(project).web.app", "\(project).firebaseapp.com", "firebaseapp.com"] {
            let answer = try await send(strict, domain)
            #expect(answer.status == 400 && answer.code == "INVALID_HOSTING_LINK_DOMAIN", "\(domain)")
        }
        #expect(try await send(strict, "localhost").status == 200)
        let lenient = try TestEmulator(.emulator)
        _ = try await lenient.signUp()
        #expect(try await send(lenient, "links.example.com").status == 200)
    }
}
