import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The pages for sign-in by pop-up and redirect, as far as they are HTTP.
///
/// `make clients ARGS=pages` tests them in a browser.
@Suite(.limitedConcurrency)
struct SignInPageTests {
    private static let handler = "/emulator/auth/handler"
    private static let hostile = #""'><img src=x onerror=alert(1)><script>alert(1)</script>"#

    private func open(_ emulator: TestEmulator, _ query: HTTPForm, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        let all = HTTPForm([("apiKey", "any"), ("providerId", "google.com")] + query.pairs)
        return try await emulator.send(HTTPRequest(.get, emulator.server.base + Self.handler, query: all, headers: headers))
            .response
    }

    private func signIn(_ emulator: TestEmulator, _ claims: JSON, tenant: String? = nil) async throws {
        let form = Percent.encodeForm([("providerId", "google.com"), ("id_token", claims.text())])
        var body: JSONObject = ["requestUri": "http://localhost", "postBody": .string(form)]
        body["tenantId"] = tenant.map(JSON.string)
        #expect(try await emulator.call("accounts:signInWithIdp", .object(body)).status == 200)
    }

    @Test func thePageOffersTheProvidersAccountsOfTheTenant() async throws {
        let emulator = try TestEmulator(.emulator)
        try await signIn(emulator, ["sub": "1", "email": "ada@example.com", "name": "Ada"])
        try await signIn(emulator, ["sub": "2", "email": "grace@example.com"], tenant: "one")
        let project = try await open(emulator, [:]).text ?? ""
        #expect(project.contains("ada@example.com") && !project.contains("grace@example.com"))
        for name in ["tid", "tenantId"] {
            let tenant = try await open(emulator, HTTPForm([(name: name, value: "one")])).text ?? ""
            #expect(tenant.contains("grace@example.com") && !tenant.contains("ada@example.com"))
        }
        let other = try await emulator.get(Self.handler + "?apiKey=any&providerId=github.com").response.text ?? ""
        #expect(!other.contains("ada@example.com"))
    }

    @Test(arguments: ["", "?apiKey=any", "?providerId=google.com", "?apiKey=&providerId=google.com"])
    func pageNeedsKeyAndProvider(_ query: String) async throws {
        let emulator = try TestEmulator(.emulator)
        let answer = try await emulator.get(Self.handler + query)
        #expect(answer.status == 400)
        #expect(answer.json["authEmulator"]?["error"]?.string != nil)
    }

    @Test func strictModeHasNoSignInPage() async throws {
        let emulator = try TestEmulator(.strict)
        #expect(try await emulator.get(Self.handler + "?apiKey=any&providerId=google.com").status == 501)
    }

    @Test(arguments: [
        "authType", "appName", "redirectUrl", "scopes", "eventId", "customParameters", "tid", "tenantId", "clientId", "appId",
        "apn",
        "ibi", "error", "v", "fw", "providerId", "apiKey",
    ])
    func pageShowsNothingOfTheQuery(_ name: String) async throws {
        let emulator = try TestEmulator(.emulator)
        var query: [(name: String, value: String)] = [("apiKey", "any"), ("providerId", "google.com")].filter { $0.name != name }
        query.append((name, Self.hostile))
        let page = try await emulator.send(HTTPRequest(.get, emulator.server.base + Self.handler, query: HTTPForm(query)))
            .response
        #expect(page.status == 200)
        #expect(page.text?.contains("alert(1)") == false)
    }

    @Test func accountIsEscapedInThePage() async throws {
        let emulator = try TestEmulator(.emulator)
        let text = JSON.string(Self.hostile)
        try await signIn(emulator, ["sub": text, "name": text, "picture": text, "screen_name": text, "email": "ada@example.com"])
        let page = try await open(emulator, [:])
        let shown = page.text ?? ""
        #expect(!shown.contains("<script>alert") && !shown.contains("<img src=x"))
        #expect(shown.contains("&lt;script&gt;alert"))
        let policy = page.headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
    }

    /// A page that embeds the frame gets the sign-ins that it waits for.
    @Test func otherSitesCannotEmbedThePages() async throws {
        let emulator = try TestEmulator(.emulator)
        let chooser = try await open(emulator, [:]).headers["Content-Security-Policy"] ?? ""
        #expect(chooser.contains("frame-ancestors 'none'"))
        let frame = try await emulator.get("/emulator/auth/iframe?apiKey=any&appName=app").response
        let policy = (frame.headers["Content-Security-Policy"] ?? "").split(separator: " ")
        #expect(
            policy.first == "frame-ancestors" && policy.contains("http://localhost:*") && policy.contains("http://127.0.0.1:*"))
        #expect(!policy.dropFirst().contains { !$0.hasSuffix("localhost:*") && !$0.hasSuffix("127.0.0.1:*") })
    }

    @Test(arguments: [true, false])
    func accountKeepsItsVerification(_ isVerified: Bool) async throws {
        let emulator = try TestEmulator(.emulator)
        let form = Percent.encodeForm([
            ("providerId", "facebook.com"),
            ("id_token", JSON.object(["sub": "1", "email": "ada@example.com", "email_verified": .bool(isVerified)]).text()),
        ])
        let body: JSON = ["requestUri": "http://localhost", "postBody": .string(form)]
        #expect(try await emulator.call("accounts:signInWithIdp", body).json["emailVerified"]?.bool == isVerified)
        let page = try #require(try await emulator.get(Self.handler + "?apiKey=any&providerId=facebook.com").response.text)
        #expect(page.contains("&quot;email_verified&quot;:true") == isVerified)
        #expect(page.contains("&quot;email_verified&quot;:false") == !isVerified)
    }

    @Test func lastSignedInAccountIsFirst() async throws {
        let clock = ManualClock(base: FixedClock())
        let emulator = try TestEmulator(.emulator, clock: clock)
        for subject in ["1", "2", "3"] {
            try await signIn(emulator, ["sub": .string(subject), "email": .string("person-\(subject)@example.com")])
            clock.advance(by: .seconds(60))
        }
        try await signIn(emulator, ["sub": "1", "email": "person-1@example.com"])
        let page = try await open(emulator, [:]).text ?? ""
        let order = page.split(separator: "js-reuse-account").dropFirst().compactMap { part in
            ["1", "2", "3"].first { part.contains("person-\($0)@example.com") }
        }
        #expect(order == ["1", "3", "2"])
    }

    /// A page of another site can open the pages, and must not read who has an account.
    @Test(arguments: [Self.handler + "?apiKey=any&providerId=google.com", "/emulator/auth/iframe?apiKey=any&appName=app"])
    func otherSitesCannotReadThePages(_ path: String) async throws {
        let emulator = try TestEmulator(.emulator)
        let request = HTTPRequest(.get, emulator.server.base + path, headers: ["Origin": "https://evil.example"])
        let answer = try await emulator.send(request).response
        #expect(answer.status == 200)
        #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func scriptsAreServed() async throws {
        let emulator = try TestEmulator(.emulator)
        for page in [Self.handler, "/emulator/auth/iframe"] {
            let text = try await emulator.get(page + "?apiKey=any&providerId=google.com&appName=app").response.text ?? ""
            #expect(text.contains(#"<script src="\#(page).js"></script>"#))
            let script = try await emulator.get(page + ".js").response
            #expect(script.headers["Content-Type"]?.hasPrefix("text/javascript") == true)
            #expect(script.text?.hasPrefix("'use strict';") == true)
        }
    }

    /// The values at `FIREBASE_EMULATOR_HUB`, and the variables of the ready line.
    @Test func hubReportsTheServersAddress() async throws {
        let emulator = try TestEmulator(.emulator)
        let port = Int64(emulator.server.port)
        let hub = try await emulator.get("/emulators").json
        for name in ["auth", "hub"] {
            #expect(hub[name]?["name"]?.string == name)
            #expect(hub[name]?["host"] == "127.0.0.1" && hub[name]?["port"]?.int == port)
            #expect(hub[name]?["listen"]?[0]?["port"]?.int == port)
        }
        let variables = emulator.server.ready.json["environment"]
        #expect(variables?["FIREBASE_AUTH_EMULATOR_HOST"]?.string == "127.0.0.1:\(port)")
        #expect(variables?["FIREBASE_EMULATOR_HUB"]?.string == "127.0.0.1:\(port)")
        let defaults = try JSON.parse(variables?["__FIREBASE_DEFAULTS__"]?.string ?? "")
        #expect(defaults["emulatorHosts"]?["auth"]?.string == "127.0.0.1:\(port)")
        #expect(defaults["config"]?["projectId"]?.string == emulator.server.emulator.settings.project)
    }
}
