import LockstepDashboard
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Values of users and clients stay text, and short.
@Suite("Hostile values in the dashboard", .limitedConcurrency)
struct HostileValueTests {
    static let script = "\"'><img src=x onerror=\"hacked=1\"><script>hacked=1</script>\u{202E}\u{1}&"

    private func check(_ page: String, _ name: String) {
        for part in ["<img", "<script>", "onerror=\"hacked", "\u{202E}", "\u{1}"] {
            #expect(!page.contains(part), "\(name) contains \(part)")
        }
        #expect(page.utf8.count < 400_000, "\(name) has \(page.utf8.count) bytes")
    }

    @Test func userValuesAreEscaped() async throws {
        try await DashboardSite.run { site in
            let long = Self.script + String(repeating: "<b>", count: 100_000)
            let users: [(String, any RunningEmulator, JSON)] = [
                (
                    "firebase", site.firebase,
                    [
                        "email": "ada@example.com", "displayName": .string(Self.script),
                        "photoURL": .string("javascript:" + Self.script),
                    ]
                ),
                (
                    "gotrue", site.goTrue,
                    ["email": "ada@example.com", "displayName": .string(long), "userMetadata": [Self.script: .string(long)]]
                ),
                (
                    "clerk", site.clerk,
                    [
                        "email": "ada@example.com", "displayName": .string(Self.script),
                        "privateMetadata": ["x": .string(Self.script)],
                    ]
                ),
            ]
            let browser = try await site.browser()
            for (name, emulator, values) in users {
                let id = await site.user(values, at: emulator)
                #expect(!id.isEmpty, "\(name)")
                let page = try await browser.page("/users/\(name)/\(id)")
                check(page, name)
                #expect(page.contains("⟨U+202E⟩") && page.contains("&lt;script&gt;"), "\(name)")
                #expect(!page.contains("href=\"javascript:"))
                check(try await browser.page("/users?provider=\(name)&query=\(Percent.encode(Self.script))"), "search of \(name)")
                check(try await browser.page("/users?provider=\(name)"), "list of \(name)")
            }
        }
    }

    @Test func messagesAreEscapedAndFramed() async throws {
        try await DashboardSite.run { site in
            let outbox = site.goTrue.panel.outbox
            try outbox.mail(
                to: Self.script, subject: Self.script, text: Self.script + " javascript:alert(1) http://127.0.0.1:1/x",
                html: Self.script,
                code: Self.script, link: "javascript:hacked=1", from: Self.script)
            try outbox.text(to: Self.script, String(repeating: Self.script, count: 10_000), code: "1<2")
            let browser = try await site.browser()
            check(try await browser.page("/inbox"), "inbox")
            let mail = try #require(outbox.mails.first)
            let page = try await browser.page("/inbox/gotrue/\(mail.id)")
            check(page, "mail")
            #expect(!page.contains("href=\"javascript:") && page.contains("(not a web address)"))
            #expect(
                page.contains("<iframe sandbox=\"allow-same-origin\" title") && page.contains("href=\"http://127.0.0.1:1/x\""))
            check(try await browser.page("/inbox/gotrue/\(outbox.shortMessages.first?.id ?? "")"), "text message")
            let frame = try await browser.get("/inbox/gotrue/\(mail.id)/frame")
            let policy = frame.headers["Content-Security-Policy"] ?? ""
            for rule in ["default-src 'none'", "sandbox", "form-action 'none'", "frame-ancestors 'self'", "base-uri 'none'"] {
                #expect(policy.contains(rule), "\(policy)")
            }
            #expect(
                policy.hasSuffix("sandbox allow-same-origin") && !policy.contains("script-src")
                    && frame.headers["X-Frame-Options"] == "SAMEORIGIN")
        }
    }

    @Test func requestsAreEscaped() async throws {
        try await DashboardSite.run { site in
            let path = "/\(Percent.encode(Self.script))?q=\(Percent.encode(Self.script))"
            let body: JSON = [Self.script: .string(Self.script + String(repeating: "x", count: 1_000_000))]
            let address = site.goTrue.base + path
            _ = try await site.send(
                .post, address,
                headers: ["X-Hostile": "\"><script>hacked=1</script>", "User-Agent": "<script>hacked=1</script>"],
                body: .json(body))
            let browser = try await site.browser()
            check(try await browser.page("/requests"), "requests")
            let page = try await browser.page("/requests/gotrue/1")
            check(page, "request")
            #expect(page.contains("&lt;script&gt;hacked=1&lt;/script&gt;"))
        }
    }

    @Test func settingsFaultsAndTokensAreEscaped() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let name = "GOTRUE_MAILER_SUBJECTS_CONFIRMATION"
            let changed = await site.goTrue.controlCalls.send("PATCH", "/settings", [name: .string(Self.script)])
            #expect(changed.status == 200)
            check(try await browser.page("/settings?provider=gotrue&query=subjects&name=\(name)"), "settings")
            check(try await browser.page("/"), "start")
            try site.clerk.panel.fail("GET", "/\(Self.script)", with: .status(500, body: .string(Self.script)))
            check(try await browser.page("/faults"), "faults")
            let claims = Base64.encode(JSON.object([Self.script: .string(Self.script)]).bytes(), .url)
            let token = Base64.encode(Array(#"{"alg":"none"}"#.utf8), .url) + "." + claims + "."
            let page = try await browser.post("/sessions/decode", [(name: "jwt", value: token)])
            #expect(page.status == 200)
            check(page.text ?? "", "token")
            let wrong = try await browser.post(
                "/sessions/decode", [(name: "jwt", value: String(repeating: Self.script, count: 20_000))])
            #expect(wrong.status == 422)
            check(wrong.text ?? "", "wrong token")
        }
    }

    /// Errors contain names from paths and queries.
    @Test func errorsAreEscaped() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let name = Percent.encode(Self.script)
            for path in [
                "/\(name)", "/users/gotrue/\(name)", "/users/\(name)/x", "/inbox/gotrue/\(name)", "/requests/gotrue/\(name)",
                "/?done=\(name)",
                "/users?provider=\(name)&query=\(name)&after=\(name)", "/settings?provider=gotrue&name=\(name)",
            ] {
                check(try await browser.get(path).text ?? "", path)
            }
            for (path, field) in [
                ("/faults", "effect"), ("/faults", "times"), ("/clock", "action"), ("/users", "provider"),
                ("/faults/ready-made", "name"),
            ] {
                let answer = try await browser.post(path, [(name: field, value: Self.script)])
                #expect(answer.status == 422, "\(path)")
                check(answer.text ?? "", path)
            }
        }
    }
}
