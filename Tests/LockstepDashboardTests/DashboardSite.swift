import LockstepClerkEmulator
import LockstepCurl
import LockstepDashboard
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives

/// The three emulators with a dashboard, and a browser with access.
struct DashboardSite: Sendable {
    let firebase: EmulatorServer<FirebaseEmulator>
    let goTrue: EmulatorServer<GoTrueEmulator>
    let clerk: EmulatorServer<ClerkEmulator>
    let dashboard: Dashboard

    static let transport = CurlTransport()

    /// Starts them, and stops them after `body`.
    static func run(_ body: (DashboardSite) async throws -> Void) async throws {
        var settings = ClerkSettings()
        settings.usesCheapHashes = true
        let site = try DashboardSite(
            firebase: try FirebaseEmulator.start(), goTrue: try GoTrueEmulator.start(), clerk: try ClerkEmulator.start(settings))
        defer { site.stop() }
        try await body(site)
    }

    private init(
        firebase: EmulatorServer<FirebaseEmulator>, goTrue: EmulatorServer<GoTrueEmulator>, clerk: EmulatorServer<ClerkEmulator>
    ) throws {
        (self.firebase, self.goTrue, self.clerk) = (firebase, goTrue, clerk)
        dashboard = try Dashboard([
            DashboardEmulator(title: "Firebase", server: firebase), DashboardEmulator(title: "Supabase (GoTrue)", server: goTrue),
            DashboardEmulator(title: "Clerk", server: clerk),
        ])
    }

    var emulators: [any RunningEmulator] { [firebase, goTrue, clerk] }

    private func stop() {
        dashboard.stop()
        for emulator in emulators { emulator.stop() }
    }

    /// Sends a request to the dashboard, with only the given headers.
    func send(_ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: HTTPBody = .none) async throws
        -> HTTPResponse
    {
        let url = path.hasPrefix("http") ? path : dashboard.base + path
        return try await Self.transport.send(HTTPRequest(method, url, headers: headers, body: body, responseLimit: 32 << 20))
    }

    /// A browser that has opened a link.
    func browser() async throws -> Browser {
        let answer = try await send(.get, dashboard.makeLink().reveal(), headers: ["Sec-Fetch-Site": "none"])
        let cookie = (answer.headers["Set-Cookie"] ?? "").cut(at: ";").head
        var browser = Browser(site: self, cookie: String(cookie), token: "")
        browser.token = Browser.token(in: try await browser.get("/clock").text ?? "")
        return browser
    }

    /// Creates a user of an emulator with its control route.
    func user(_ values: JSON, at emulator: any RunningEmulator) async -> String {
        await emulator.controlCalls.send("POST", "/users", values).document["id"]?.string ?? ""
    }
}

/// A browser with the dashboard's cookie, which sends the headers of Chromium.
struct Browser: Sendable {
    let site: DashboardSite
    let cookie: String
    var token: String

    func get(_ path: String) async throws -> HTTPResponse {
        try await site.send(.get, path, headers: ["Cookie": cookie, "Sec-Fetch-Site": "same-origin"])
    }

    /// The text of a page, which must exist.
    func page(_ path: String) async throws -> String {
        let answer = try await get(path)
        guard answer.status == 200 else {
            throw Unexpected(description: "\(path) has status \(answer.status): \(answer.text ?? "")")
        }
        return answer.text ?? ""
    }

    func post(_ path: String, _ fields: [(name: String, value: String)] = []) async throws -> HTTPResponse {
        let body = Percent.encodeForm([(name: "token", value: token)] + fields)
        return try await site.send(
            .post, path, headers: ["Cookie": cookie, "Origin": "null", "Sec-Fetch-Site": "same-origin"],
            body: HTTPBody(Array(body.utf8), type: "application/x-www-form-urlencoded"))
    }

    /// Sends a form, which must succeed.
    func done(_ path: String, _ fields: [(name: String, value: String)] = []) async throws {
        let answer = try await post(path, fields)
        guard answer.status == 303 else {
            throw Unexpected(description: "\(path) has status \(answer.status): \(answer.text ?? "")")
        }
    }

    /// The token of the first form of a page.
    static func token(in page: String) -> String {
        page.firstRange(of: "name=\"token\" value=\"").map { String(page[$0.upperBound...].prefix { $0 != "\"" }) } ?? ""
    }
}

/// An unexpected result of a test.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}
