import Foundation
import LockstepDashboard
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Access to the dashboard", .limitedConcurrency)
struct AccessTests {
    static let pages = [
        "/", "/inbox", "/users", "/sessions", "/requests", "/faults", "/clock", "/settings", "/deliveries", "/changes",
        "/users/new",
        "/side-by-side", "/find",
    ]

    @Test func linkWorksOnceAndIsRemovedFromTheAddress() async throws {
        try await DashboardSite.run { site in
            let link = site.dashboard.makeLink().reveal()
            let first = try await site.send(.get, link)
            #expect(first.status == 303 && first.headers["Location"] == "/")
            let cookie = try #require(first.headers["Set-Cookie"])
            #expect(cookie.hasPrefix("lockstep-\(site.dashboard.port)="))
            for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains("; \(attribute)"), "\(cookie)") }
            #expect(!cookie.contains(link.suffix(26)))
            let second = try await site.send(.get, link)
            #expect(second.status == 401 && second.headers["Set-Cookie"] == nil)
            #expect(second.text?.contains("lockstep open") == true)
        }
    }

    @Test func withoutTheCookieEveryPageReturns401() async throws {
        try await DashboardSite.run { site in
            for path in Self.pages + ["/users/gotrue/x", "/nowhere", "/?key=wrong"] {
                for headers: HTTPHeaders in [[:], ["Cookie": "lockstep-\(site.dashboard.port)=wrong"]] {
                    let answer = try await site.send(.get, path, headers: headers)
                    #expect(answer.status == 401 && answer.text?.contains("lockstep open") == true, "\(path)")
                }
            }
        }
    }

    @Test func everyResponseHasTheSecurityHeaders() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            var answers: [HTTPResponse] = []
            for path in Self.pages + ["/nowhere", "/style.css", "/script.js", "/icon.svg"] {
                answers.append(try await browser.get(path))
            }
            answers.append(try await site.send(.get, "/"))
            answers.append(try await site.send(.delete, "/"))
            answers.append(try await site.send(.post, "/link"))
            for answer in answers {
                let policy = answer.headers["Content-Security-Policy"] ?? ""
                #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "\(policy)")
                #expect(!policy.contains("unsafe"))
                #expect(answer.headers["X-Frame-Options"] == "DENY" && answer.headers["X-Content-Type-Options"] == "nosniff")
                #expect(answer.headers["Referrer-Policy"] == "no-referrer" && answer.headers["Cache-Control"] == "no-store")
                #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
            }
        }
    }

    /// Headers that browsers send for pages of other sites, other ports and other schemes.
    static let foreign: [HTTPHeaders] = [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"],
        ["Origin": "http://127.0.0.1:3000"], ["Origin": "https://127.0.0.1:PORT"], ["Origin": "http://localhost:PORT"],
        ["Origin": "null"], ["Sec-Fetch-Site": "cross-site", "Origin": "null"],
        ["Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"],
        // No browser sends this header twice.
        ["Sec-Fetch-Site": "same-origin", "sec-fetch-site": "cross-site"],
        ["Origin": "http://127.0.0.1:PORT", "origin": "http://evil.example"],
        ["Origin": "http://127.0.0.1:PORT.evil.example"], ["Origin": "http://127.0.0.1"],
    ]

    @Test(arguments: foreign)
    func pagesOfOtherOriginsAreRejected(_ headers: HTTPHeaders) async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            var fields: HTTPHeaders = ["Cookie": browser.cookie]
            for field in headers {
                fields.append(field.name, field.value.replacingOccurrences(of: "PORT", with: String(site.dashboard.port)))
            }
            let before = site.goTrue.panel.clock.offset
            #expect(fields.count == headers.count + 1)
            for path in ["/", "/style.css", "/changes", site.dashboard.makeLink().reveal()] {
                let answer = try await site.send(.get, path, headers: fields)
                #expect(answer.status == 403, "\(path)")
            }
            let form: HTTPBody = .form(["token": browser.token, "action": "3600"])
            #expect(try await site.send(.post, "/clock", headers: fields, body: form).status == 403)
            #expect(site.goTrue.panel.clock.offset == before)
        }
    }

    /// The same form succeeds on the dashboard's own page.
    @Test func formNeedsItsTokenAndItsOrigin() async throws {
        try await DashboardSite.run { site in
            let (browser, other) = (try await site.browser(), try await site.browser())
            let own = "http://127.0.0.1:\(site.dashboard.port)"
            for (token, headers, status): (String, HTTPHeaders, Int) in [
                (browser.token, ["Origin": own], 303), (browser.token, ["Origin": "null", "Sec-Fetch-Site": "same-origin"], 303),
                (browser.token, [:], 403), (browser.token, ["Sec-Fetch-Site": "none"], 403), ("", ["Origin": own], 403),
                (other.token, ["Origin": own], 403),
            ] {
                var fields = headers
                fields.append("Cookie", browser.cookie)
                let answer = try await site.send(.post, "/clock", headers: fields, body: .form(["token": token, "action": "60"]))
                #expect(answer.status == status, "\(headers)")
            }
        }
    }

    @Test func onlyLocalHostNamesAreServed() async throws {
        try await DashboardSite.run { site in
            let port = Int(site.dashboard.port)
            for (host, status) in [
                ("127.0.0.1:\(port)", 401), ("localhost:\(port)", 401), ("app.localhost", 401), ("[::1]:\(port)", 401),
                ("evil.example:\(port)", 421), ("127.0.0.1.evil.example", 421),
            ] {
                let text = try await BlockingThread.run {
                    let connection = try SocketConnection(port: port)
                    try connection.write("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                    return String(decoding: try connection.read(), as: UTF8.self)
                }
                #expect(text.hasPrefix("HTTP/1.1 \(status)"), "\(host): \(text.prefix(40))")
            }
        }
    }

    /// Reading pages changes no emulator.
    @Test func readingPagesChangesNothing() async throws {
        try await DashboardSite.run { site in
            let id = await site.user(["email": "ada@example.com"], at: site.goTrue)
            try site.goTrue.panel.outbox.mail(
                to: "ada@example.com", subject: "Hello", text: "Code 123456", html: "<p>Hello", code: "123456")
            let mail = try #require(site.goTrue.panel.outbox.mails.first)
            // An emulator can write its own rows at its first use.
            for emulator in site.emulators { _ = await site.user(["email": "bob@example.com"], at: emulator) }
            let browser = try await site.browser()
            let before = site.emulators.map(\.panel.changes.number)
            for path in Self.pages + [
                "/users/gotrue/\(id)", "/inbox/gotrue/\(mail.id)", "/inbox/gotrue/\(mail.id)/frame",
                "/settings?provider=clerk&query=pass",
            ] {
                _ = try await browser.page(path)
            }
            #expect(site.emulators.map(\.panel.changes.number) == before)
            #expect(site.goTrue.panel.outbox.mails.first?.isRead == false)
            for path in ["/clock", "/users", "/faults", "/reset/gotrue", "/users/gotrue/\(id)/delete"] {
                let answer = try await browser.get(path + "?action=60&provider=gotrue&token=\(browser.token)")
                #expect(answer.status == 200 || answer.status == 405, "\(path)")
            }
            #expect(site.emulators.map(\.panel.changes.number) == before)
        }
    }

    /// `lockstep open` asks for a link with the control token; a page cannot.
    @Test func controlTokenCreatesALink() async throws {
        try await DashboardSite.run { site in
            let control = "Bearer " + site.clerk.ready.token.reveal()
            let answer = try await site.send(.post, "/link", headers: ["Authorization": control])
            #expect(answer.status == 201)
            let link = try #require(try answer.json()["link"]?.string)
            #expect(link.hasPrefix(site.dashboard.base + "/?key="))
            #expect(try await site.send(.get, link).status == 303)
            for headers: HTTPHeaders in [
                [:], ["Authorization": "Bearer wrong"], ["Authorization": control, "Origin": site.dashboard.base],
                ["Authorization": control, "Sec-Fetch-Site": "same-origin"],
            ] {
                #expect(try await site.send(.post, "/link", headers: headers).status == 401)
            }
        }
    }

    /// A restarted server, with its address and its file of sessions.
    private struct Restart {
        let site: DashboardSite
        let folder: String
        private let path: String

        init(_ site: DashboardSite, folder: String = "") throws {
            self.site = site
            self.folder = folder
            path = try Folder.makeTemporary(prefix: "D-sessions") + "/sessions"
        }

        func remove() { try? Folder.remove(String(path.dropLast("/sessions".count))) }

        var bytes: [UInt8]? { (try? AtomicFile.read(path)) ?? nil }

        func write(_ text: String) throws { try AtomicFile.replace(path, with: Array(text.utf8)) }

        /// Starts a dashboard on a port below those that the system gives to the other tests, so that it is still free after a
        /// stop.
        func firstDashboard() throws -> Dashboard {
            for attempt in 0..<64 {
                let port = 20_000 + (Int(CurrentProcess.id) * 13 + attempt * 617) % 10_000
                do { return try dashboard(port: UInt16(port)) } catch is PortInUse { continue }
            }
            throw Unexpected(description: "no free port")
        }

        func dashboard(port: UInt16 = 0, folder: String? = nil, clock: (any DeviceClock)? = nil) throws -> Dashboard {
            var options = EmulatorOptions()
            options.port = port
            if let clock {
                options.connectionClock = clock
                // Otherwise a clock that moves by a day would end the connection of the next request.
                options.idleTimeout = .seconds(100 * 86_400)
            }
            let kept = KeptSessions(folder: folder ?? self.folder) { _ in
                bytes
            } write: { _, bytes in
                try? AtomicFile.replace(path, with: bytes)
            }
            return try Dashboard([DashboardEmulator(title: "GoTrue", server: site.goTrue)], keeping: kept, options)
        }

        /// Opens a link, and returns the header of the cookie.
        func cookie(of dashboard: Dashboard) async throws -> String {
            let answer = try await site.send(.get, dashboard.makeLink().reveal())
            let cookie = try #require(answer.headers["Set-Cookie"])
            #expect(cookie.contains("; Max-Age=2592000"))
            return String(cookie.cut(at: ";").head)
        }

        func status(_ cookie: String, _ dashboard: Dashboard, _ path: String = "/users") async throws -> Int {
            try await site.send(.get, dashboard.base + path, headers: ["Cookie": cookie]).status
        }
    }

    @Test func restartedServerLetsTheSameBrowserIn() async throws {
        try await DashboardSite.run { site in
            let restart = try Restart(site, folder: "/data")
            defer { restart.remove() }
            var dashboard = try restart.firstDashboard()
            let port = dashboard.port
            let link = dashboard.makeLink().reveal()
            let cookie = try await restart.cookie(of: dashboard)
            let page = try await site.send(.get, dashboard.base + "/clock", headers: ["Cookie": cookie]).text ?? ""
            dashboard.stop()
            let bytes = String(decoding: try #require(restart.bytes), as: UTF8.self)
            #expect(!bytes.contains(cookie.suffix(32)), "the file contains the cookie")

            dashboard = try restart.dashboard(port: port)
            #expect(try await restart.status(cookie, dashboard) == 200)
            // A form that was open before the restart; a foreign page has no token.
            for (token, status) in [(Browser.token(in: page), 303), ("", 403)] {
                let form: HTTPBody = .form(["token": token, "action": "60"])
                let headers: HTTPHeaders = ["Cookie": cookie, "Origin": dashboard.base]
                #expect(try await site.send(.post, dashboard.base + "/clock", headers: headers, body: form).status == status)
            }
            // The key of a link lasts as long as the process.
            #expect(try await site.send(.get, link).status == 401)
            dashboard.stop()

            dashboard = try restart.dashboard(port: port, folder: "/other")
            #expect(try await restart.status(cookie, dashboard) == 401)
            dashboard.stop()
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"version\":1,\"port\":1,\"folder\":\"\",\"sessions\":7}", "\u{0}"])
    func damagedFileIsAsNone(_ text: String) async throws {
        try await DashboardSite.run { site in
            let restart = try Restart(site)
            defer { restart.remove() }
            try restart.write(text)
            let dashboard = try restart.dashboard()
            defer { dashboard.stop() }
            #expect(try await restart.status("lockstep-\(dashboard.port)=x", dashboard) == 401)
            #expect(try await restart.status(restart.cookie(of: dashboard), dashboard) == 200)
        }
    }

    /// Seven days without use, and thirty days at most.
    @Test func sessionEndsByItsAge() async throws {
        try await DashboardSite.run { site in
            let restart = try Restart(site)
            defer { restart.remove() }
            let clock = ManualClock(base: SystemClock())
            let dashboard = try restart.dashboard(clock: clock)
            defer { dashboard.stop() }
            let (idle, used) = (try await restart.cookie(of: dashboard), try await restart.cookie(of: dashboard))
            for day in 1...29 {
                clock.advance(by: .seconds(86_400))
                #expect(try await restart.status(used, dashboard) == 200, "day \(day)")
                if day == 7 { #expect(try await restart.status(idle, dashboard) == 401) }
            }
            clock.advance(by: .seconds(86_400))
            #expect(try await restart.status(used, dashboard) == 401)
        }
    }

    @Test func forgetEndsAllSessions() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let control = "Bearer " + site.goTrue.ready.token.reveal()
            #expect(try await site.send(.post, "/forget", headers: ["Cookie": browser.cookie]).status == 401)
            #expect(try await browser.get("/users").status == 200)
            #expect(try await site.send(.post, "/forget", headers: ["Authorization": control]).status == 200)
            #expect(try await browser.get("/users").status == 401)
        }
    }
}
