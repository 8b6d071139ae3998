import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The callback of a provider, in cases without recordings.
@Suite(.limitedConcurrency)
final class CallbackTests {
    private let provider: EmulatorServer<ScriptedServer>

    init() throws { provider = try ScriptedServer.start() }

    deinit { provider.stop() }

    private func emulator(_ change: (inout GoTrueSettings) -> Void = { _ in }) throws -> TestEmulator {
        try TestEmulator {
            $0.providers["keycloak"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: provider.base + "/realm")
            change(&$0)
        }
    }

    /// Opens the provider's page, and returns as this person.
    private func comeBack(_ emulator: TestEmulator, as person: JSON, _ query: String = "") async throws -> String {
        provider.emulator.say("userinfo", person)
        let there = try await emulator.get("/authorize?provider=keycloak" + query)
        let address = try #require(there.response.headers["location"])
        let state = try #require(address.split(separator: "&").first { $0.hasPrefix("state=") })
        return try await emulator.get("/callback?code=c&\(state)").response.headers["location"] ?? ""
    }

    @Test func invitedUserSignsInWithAProvider() async throws {
        let emulator = try emulator()
        _ = try await emulator.post("/invite", ["email": "ada@example.com", "data": ["team": "red"]], bearer: emulator.admin)
        let link = try #require(emulator.server.panel.outbox.mails(to: "ada@example.com").first?.link)
        let token = try #require(link.split(separator: "?").last?.split(separator: "&").first?.dropFirst(6))
        let foreign: JSON = ["sub": "1", "email": "eve@example.com", "email_verified": true]
        let refused = try await comeBack(emulator, as: foreign, "&invite_token=\(token)")
        #expect(refused.contains("error_code=validation_failed"))
        #expect(refused.contains("Invited+email+does+not+match"))
        let own: JSON = ["sub": "2", "email": "ada@example.com", "email_verified": false, "name": "Ada"]
        #expect(try await comeBack(emulator, as: own, "&invite_token=\(token)").contains("#access_token="))
        let found = try emulator.administrator.account(email: "ada@example.com")
        let account = try #require(found)
        #expect(account.isEmailConfirmed && account.providers == ["keycloak"])
        #expect(account.metadata["team"] == nil && account.metadata["name"] == "Ada")
        #expect(try await emulator.audit("?query=action:invite_accepted").count == 1)
        let used = try await emulator.get("/authorize?provider=keycloak&invite_token=\(token)")
        #expect(used.status == 404 && used.code == "user_not_found")
    }

    @Test func hookIsCalledOnlyForNewUsers() async throws {
        let hooks = try ScriptedServer.start()
        defer { hooks.stop() }
        let emulator = try emulator { $0.hooks.beforeUserCreated = HookSettings.Hook(address: hooks.base + "/create") }
        let person: JSON = ["sub": "1", "email": "ada@example.com", "email_verified": true]
        #expect(try await comeBack(emulator, as: person).contains("#access_token="))
        #expect(hooks.emulator.requests("create").last?.json["user"]?["app_metadata"]?["provider"] == "keycloak")
        hooks.emulator.say("create", ["error": ["http_code": 403, "message": "Closed"]])
        #expect(try await comeBack(emulator, as: person).contains("#access_token="))
        let stranger = try await comeBack(emulator, as: ["sub": "2", "email": "eve@example.com", "email_verified": true])
        #expect(stranger.contains("error_description=Closed"))
        #expect(try emulator.administrator.userCount() == 1)
    }

    @Test func deletedUserCannotLinkAnIdentity() async throws {
        let emulator = try emulator { $0.signIn.allowsManualLinking = true }
        let session = try await emulator.person()
        let path = "/user/identities/authorize?provider=keycloak&skip_http_redirect=true"
        let address = try await emulator.get(path, bearer: session["access_token"])["url"]
        let state = try #require(address.split(separator: "&").first { $0.hasPrefix("state=") })
        try emulator.administrator.deleteUser(session.json["user"]?["id"]?.string ?? "")
        let back = try await emulator.get("/callback?code=c&\(state)").response.headers["location"] ?? ""
        #expect(back.contains("error_code=user_not_found") && back.hasPrefix("http://localhost:3000"))
    }

    @Test(arguments: [
        ("Custom:X", "Unsupported provider: custom provider custom:x not found"),
        ("Nobody", "Unsupported provider: Provider nobody could not be found"),
        ("x", "Unsupported provider: provider is not enabled"),
    ])
    func unknownProvidersAreRejected(_ name: String, _ message: String) async throws {
        let refused = try await emulator().get("/authorize?provider=\(name)")
        #expect(refused.status == 400 && refused["msg"] == message)
    }

    @Test func ownersSignInRevokesEarlierAccess() async throws {
        let emulator = try emulator()
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1", "data": ["name": "Mallory"]]
        // Until the address is verified there is no session. A verification by another method removes the password.
        #expect(try await emulator.post("/signup", body)["access_token"].isEmpty)
        #expect(try await emulator.signIn("ada@example.com", "Correct-Horse-1").code == "email_not_confirmed")
        let link = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.link)
        emulator.server.panel.advance(by: .seconds(5))
        let person: JSON = ["sub": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada"]
        #expect(try await comeBack(emulator, as: person).contains("#access_token="))
        #expect(try await emulator.signIn("ada@example.com", "Correct-Horse-1").code == "invalid_credentials")
        let account = try #require(try emulator.administrator.account(email: "ada@example.com"))
        #expect(account.providers == ["keycloak"] && account.metadata["name"] == "Ada")
        #expect(try emulator.administrator.userCount() == 1)
        let late = try await emulator.get(String(link.dropFirst(emulator.server.base.count)))
        #expect(late.response.headers["location"]?.contains("error_code=otp_expired") == true)
    }

    @Test func unverifiedAccountIsReplaced() async throws {
        let emulator = try emulator()
        let person: JSON = ["sub": "1", "email": "ada@example.com", "email_verified": false, "name": "Mallory"]
        #expect(try await comeBack(emulator, as: person).contains("provider_email_needs_verification"))
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1"]
        emulator.server.panel.advance(by: .seconds(1))
        #expect(try await emulator.post("/signup", body).json["identities"]?.array?.count == 1)
        let found = try emulator.administrator.account(email: "ada@example.com")
        let account = try #require(found)
        #expect(account.providers == ["email"] && account.metadata["name"] == nil)
    }

    /// `loadExternalState` and `oAuthCallback` read a posted form first, then the query, and no other kind of body.
    @Test func aPostedFormIsReadWithTheQuery() async throws {
        let emulator = try emulator()
        provider.emulator.say("userinfo", ["sub": "1", "email": "ada@example.com", "email_verified": true])
        func start() async throws -> String {
            let there = try await emulator.get("/authorize?provider=keycloak").response.headers["location"] ?? ""
            return String(try #require(there.split(separator: "&").first { $0.hasPrefix("state=") }))
        }
        func post(_ query: String, _ body: String, _ type: String = "application/x-www-form-urlencoded") async throws
            -> HTTPResponse
        {
            try await emulator.send(
                HTTPRequest(
                    .post, emulator.server.base + "/callback" + query, body: HTTPBody(Array(body.utf8), type: type))
            ).response
        }
        let whole = try await post("", "code=c&" + start())
        #expect(whole.status == 302 && whole.headers["location"]?.contains("#access_token=") == true)
        #expect(whole.headers["content-type"] == nil && whole.body.isEmpty, "Go writes a page for GET alone")
        let split = try await post("?code=ignored&" + start(), "code=c")
        #expect(split.headers["location"]?.contains("#access_token=") == true)
        let inQuery = try await post("?code=c&" + start(), "")
        #expect(inQuery.headers["location"]?.contains("#access_token=") == true)
        let json = try await post("", "code=c&" + start(), "application/json")
        #expect(json.status == 303 && json.headers["location"]?.contains("error_code=bad_oauth_callback") == true)
        #expect(json.headers["content-type"] == nil)
        let denied = try await post("", "error=access_denied&error_description=No&" + start())
        #expect(denied.status == 302 && denied.headers["location"]?.contains("error=access_denied") == true)
        #expect(denied.headers["content-type"] == nil)
    }

    /// Apple posts a person's name only with the first sign-in.
    @Test func applesNameIsReadFromTheForm() async throws {
        let emulator = try emulator {
            $0.providers["apple"] = ProviderSettings(clients: ["app"], secret: "secret", issuer: self.provider.base + "/realm")
        }
        provider.emulator.say("userinfo", ["sub": "1", "email": "ada@example.com", "email_verified": true])
        let there = try await emulator.get("/authorize?provider=apple").response.headers["location"] ?? ""
        let state = String(try #require(there.split(separator: "&").first { $0.hasPrefix("state=") }))
        let name = "%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%2C%22lastName%22%3A%22Lovelace%22%7D%7D"
        _ = try await emulator.send(
            HTTPRequest(
                .post, emulator.server.base + "/callback",
                body: HTTPBody(Array("code=c&user=\(name)&\(state)".utf8), type: "application/x-www-form-urlencoded")))
        let metadata = try emulator.administrator.account(email: "ada@example.com")?.metadata
        #expect(metadata?["full_name"] == "Ada Lovelace" && metadata?["name"] == "Ada Lovelace")
    }

    /// `internal/api/external.go`, `AccountExists`: the data are replaced, and the time of the identity's first sign-in stays.
    @Test func repeatedSignInReplacesOnlyTheIdentityData() async throws {
        let emulator = try emulator()
        _ = try await comeBack(emulator, as: ["sub": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada"])
        let id = try #require(try emulator.administrator.account(email: "ada@example.com")?.id)
        func identity() async throws -> JSON {
            try await emulator.get("/admin/users/\(id)", bearer: emulator.admin).json["identities"]?.array?.first ?? .null
        }
        let before = try await identity()
        emulator.server.panel.advance(by: .seconds(3600))
        _ = try await comeBack(
            emulator, as: ["sub": "1", "email": "ada@example.com", "email_verified": true, "name": "Countess"])
        let after = try await identity()
        #expect(after["identity_data"]?["name"] == "Countess" && before["identity_data"]?["name"] == "Ada")
        #expect(after["last_sign_in_at"] == before["last_sign_in_at"])
        #expect(after["identity_id"] == before["identity_id"])
    }
}
