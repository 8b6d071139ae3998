import LockstepDashboard
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Each form changes the running emulator as described.
@Suite("Forms of the dashboard", .limitedConcurrency)
struct FormTests {
    private func user(_ id: String, _ emulator: any RunningEmulator) async -> JSON {
        await emulator.controlCalls.send("GET", "/users/\(id)").document
    }

    @Test(arguments: ["firebase", "gotrue", "clerk"])
    func aUserIsCreatedChangedAndDeleted(_ provider: String) async throws {
        try await DashboardSite.run { site in
            let emulator = try #require(site.emulators.first { $0.ready.provider == provider })
            let browser = try await site.browser()
            let created = try await browser.post(
                "/users",
                [("provider", provider), ("email", "ada@example.com"), ("emailConfirmed", "on"), ("password", "Correct-Horse-1")]
                    .map { (name: $0.0, value: $0.1) })
            #expect(created.status == 303)
            let location = try #require(created.headers["Location"])
            let path = String(location.cut(at: "?").head)
            let id = try #require(path.split(separator: "/").last.map(String.init))
            #expect(await user(id, emulator)["email"] == "ada@example.com")
            #expect(try await browser.page(location).contains("The user was created."))

            // An unchanged field is not sent.
            try await browser.done(
                path,
                [("displayName", "Ada"), ("was-displayName", ""), ("email", "ada@example.com"), ("was-email", "ada@example.com")]
                    .map { (name: $0.0, value: $0.1) })
            #expect(await user(id, emulator)["displayName"] == "Ada")
            try await browser.done(path + "/flags", [(name: "disabled", value: "true")])
            #expect(await user(id, emulator)["disabled"] == true)
            try await browser.done(path + "/flags", [(name: "disabled", value: "false")])
            try await browser.done(path + "/password", [(name: "password", value: "Other-Horse-2")])
            let signedIn = try await browser.post(path + "/sign-in")
            #expect(signedIn.status == 200 && signedIn.text?.contains("Access token") == true)
            #expect(
                try await browser.post(path, [(name: "appMetadata", value: "{broken"), (name: "was-appMetadata", value: "{}")])
                    .status == 422)
            let page = try await browser.page(path)
            #expect(
                page.contains("The user as the provider&#39;s API returns it")
                    || page.contains("As the provider's API returns it"))
            try await browser.done(path + "/delete")
            #expect(await user(id, emulator)["id"] == nil)
        }
    }

    /// The forms send their values to the control routes, so the page shows the routes' error.
    @Test(arguments: ["firebase", "gotrue", "clerk"])
    func aValueThatTheProviderRefusesIsNamed(_ provider: String) async throws {
        try await DashboardSite.run { site in
            let emulator = try #require(site.emulators.first { $0.ready.provider == provider })
            let browser = try await site.browser()
            let id = await site.user(["email": "ada@example.com", "emailConfirmed": true], at: emulator)
            let before = await user(id, emulator)
            let long = String(repeating: "x", count: 73)
            let path = "/users/\(provider)/\(id)"
            var forms: [(String, [(String, String)])] = [
                ("/users", [("provider", provider), ("email", "no address")]),
                (path, [("email", "no address"), ("was-email", "ada@example.com")]),
                (path, [("phoneConfirmed", "on"), ("was-phoneConfirmed", "")]), (path + "/password", [("password", "")]),
                (path + "/factors", [("kind", "phone"), ("phone", "0")]),
            ]
            if provider == "firebase" {
                forms.append((path, [("appMetadata", "{\"sub\": 1}"), ("was-appMetadata", "{}")]))
            } else {
                forms += [
                    ("/users", [("provider", provider), ("email", "bob@example.com"), ("password", long)]),
                    (path + "/password", [("password", long)]),
                ]
            }
            for (path, fields) in forms {
                let answer = try await browser.post(path, fields.map { (name: $0.0, value: $0.1) })
                #expect(answer.status == 422 && answer.text?.contains("Internal error") == false, "\(path) \(fields)")
            }
            #expect(await user(id, emulator) == before)
            #expect(emulator.controlCalls.userCount() == 1)
            let search = String(repeating: "a", count: 257)
            for page in ["users", "sessions", "inbox", "settings"] {
                #expect(try await browser.get("/\(page)?query=\(search)").status == 422, "\(page)")
            }
        }
    }

    @Test func factorsAndSessionsAreListedAndRemoved() async throws {
        try await DashboardSite.run { site in
            let id = await site.user(["email": "ada@example.com", "emailConfirmed": true], at: site.goTrue)
            let (browser, path) = (try await site.browser(), "/users/gotrue/\(id)")
            try await browser.done(path + "/factors", [(name: "kind", value: "totp")])
            let page = try await browser.page(path)
            #expect(page.contains("Code now") && page.contains("<svg class=\"qr\""))
            let factors = await site.goTrue.controlCalls.send("GET", "/users/\(id)/factors").document["factors"]?.array ?? []
            let factor = try #require(factors.first?["id"]?.string)
            try await browser.done(path + "/factors/\(factor)/remove")
            #expect(!(try await browser.page(path)).contains("Code now"))
            for _ in 0..<2 { _ = try await browser.post(path + "/sign-in") }
            func sessions() async -> [JSON] {
                await site.goTrue.controlCalls.send("GET", "/users/\(id)/sessions").document["sessions"]?.array ?? []
            }
            let open = await sessions()
            #expect(open.count == 2)
            let first = try #require(open.first?["id"]?.string)
            #expect(try await browser.page("/sessions").contains(first))
            try await browser.done("/sessions/gotrue/\(first)/end")
            #expect(await sessions().count == 1)
            try await browser.done(path + "/sessions/end")
            #expect(await sessions().isEmpty)
        }
    }

    @Test func faultsAreSetReleasedAndRemoved() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            try await browser.done(
                "/faults",
                [
                    ("provider", "gotrue"), ("effect", "status"), ("status", "503"), ("path", "/health"), ("times", "2"),
                    ("method", ""),
                ]
                .map { (name: $0.0, value: $0.1) })
            let fault = try #require(site.goTrue.panel.faults.first)
            #expect(fault.remaining == 2 && site.clerk.panel.faults.isEmpty)
            #expect(try await site.send(.get, site.goTrue.base + "/health").status == 503)
            #expect(try await browser.page("/faults").contains("/health"))
            try await browser.done("/faults/gotrue/\(fault.id)/release")
            try await browser.done("/faults/gotrue/\(fault.id)/lift")
            #expect(site.goTrue.panel.faults.isEmpty)

            // The path, as on the page of requests.
            let wholePath = [
                ("provider", "gotrue"), ("effect", "status"), ("status", "503"), ("path", "/auth/v1/health"), ("times", "1"),
            ]
            try await browser.done("/faults", wholePath.map { (name: $0.0, value: $0.1) })
            #expect(try await site.send(.get, site.goTrue.base + "/auth/v1/health").status == 503)
            let noPath = [("provider", "gotrue"), ("effect", "close"), ("path", "health"), ("times", "1")]
            #expect(try await browser.post("/faults", noPath.map { (name: $0.0, value: $0.1) }).status == 422)
            try await browser.done("/faults/lift-all")

            for name in ["offline", "portal", "busy", "refresh"] {
                try await browser.done("/faults/ready-made", [(name: "name", value: name), (name: "provider", value: "")])
            }
            #expect(site.emulators.allSatisfy { $0.panel.faults.count == 4 })
            try await browser.done("/faults/release-all")
            try await browser.done("/faults/lift-all")
            #expect(site.emulators.allSatisfy { $0.panel.faults.isEmpty })
        }
    }

    /// "429 for a minute" ends by the backend's clock.
    @Test func busyFaultEndsAfterAMinute() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            try await browser.done("/faults/ready-made", [(name: "name", value: "busy"), (name: "provider", value: "gotrue")])
            let answer = try await site.send(.get, site.goTrue.base + "/health")
            #expect(answer.status == 429 && answer.headers["Retry-After"] == "60")
            try await browser.done("/clock", [(name: "action", value: "61"), (name: "provider", value: "gotrue")])
            for _ in 0..<20 where !site.goTrue.panel.faults.isEmpty {
                let number = String(site.goTrue.panel.changes.number)
                guard !site.goTrue.panel.faults.isEmpty else { break }
                _ = await site.goTrue.controlCalls.send("GET", "/changes", query: [("after", number), ("wait", "1")])
            }
            #expect(site.goTrue.panel.faults.isEmpty)
            #expect(try await site.send(.get, site.goTrue.base + "/health").status == 200)
        }
    }

    @Test func clocksMoveTogetherOrAlone() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            try await browser.done("/clock", [(name: "action", value: "3600")])
            #expect(site.emulators.allSatisfy { $0.panel.clock.offset >= .seconds(3600) })
            try await browser.done(
                "/clock",
                [(name: "action", value: "set"), (name: "time", value: "2031-02-03 04:05"), (name: "provider", value: "clerk")])
            #expect(site.clerk.panel.clock.now.rfc3339 == "2031-02-03T04:05:00.000Z" && site.clerk.panel.clock.isStopped)
            #expect(!site.goTrue.panel.clock.isStopped)
            try await browser.done("/clock", [(name: "action", value: "running"), (name: "provider", value: "clerk")])
            #expect(!site.clerk.panel.clock.isStopped)
            try await browser.done("/clock", [(name: "action", value: "machine")])
            #expect(
                site.emulators.allSatisfy {
                    (.seconds(-60)...(.seconds(60))).contains($0.panel.clock.offset) && !$0.panel.clock.isStopped
                })
            try await browser.done("/clock", [(name: "action", value: "stop")])
            #expect(site.emulators.allSatisfy { $0.panel.clock.isStopped })
            for time in ["", "tomorrow", "2031-13-01", "2031-02-30", "99999-01-01 00:00"] {
                let answer = try await browser.post("/clock", [(name: "action", value: "set"), (name: "time", value: time)])
                #expect(answer.status == 422, "\(time)")
            }
        }
    }

    @Test func settingsAreChanged() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let page = try await browser.page("/settings?provider=gotrue&query=password_min&name=GOTRUE_PASSWORD_MIN_LENGTH")
            #expect(page.contains("GOTRUE_PASSWORD_MIN_LENGTH"))
            try await browser.done(
                "/settings/gotrue",
                [("name", "GOTRUE_PASSWORD_MIN_LENGTH"), ("value", "12"), ("was-value", "6")].map { (name: $0.0, value: $0.1) })
            let settings = await site.goTrue.controlCalls.send("GET", "/settings").document["settings"]?.array ?? []
            let setting = settings.first { $0["name"] == "GOTRUE_PASSWORD_MIN_LENGTH" }
            #expect(setting?["value"]?.int == 12 || setting?["value"]?.string == "12", "\(String(describing: setting))")
            let wrong = try await browser.post(
                "/settings/gotrue",
                [("name", "GOTRUE_PASSWORD_MIN_LENGTH"), ("value", "many"), ("was-value", "6")].map { (name: $0.0, value: $0.1) })
            #expect(wrong.status == 422)
        }
    }

    @Test func messagesAreShownOpenedAndDeleted() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let outbox = site.goTrue.panel.outbox
            try outbox.mail(
                to: "ada@example.com", subject: "Confirm", text: "Your code is 482913", code: "482913",
                link: site.goTrue.base + "/health")
            try outbox.text(to: "15550100", "Your code is 111222", code: "111222")
            let inbox = try await browser.page("/inbox")
            #expect(inbox.contains("482913") && inbox.contains("111222"))
            #expect(!(try await browser.page("/inbox?query=482913")).contains("111222"))
            let mail = try #require(outbox.mails.first)
            let opened = try await browser.post("/inbox/gotrue/\(mail.id)/elsewhere", [(name: "link", value: "0")])
            #expect(opened.status == 200 && opened.text?.contains("status 200") == true)
            let request = try #require(site.goTrue.panel.transcript.entries.last?.request)
            #expect(request.path == "/health" && request.headers["Cookie"] == nil)
            try await browser.done("/inbox/reachable", [(name: "reachable", value: "false")])
            #expect(site.emulators.allSatisfy { !$0.panel.outbox.isReachable })
            try await browser.done("/inbox/reachable", [(name: "reachable", value: "true")])
            try await browser.done("/inbox/delete")
            #expect(outbox.mails.isEmpty && outbox.shortMessages.isEmpty)
        }
    }

    @Test func aResetDeletesUsers() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            _ = await site.user(["email": "ada@example.com"], at: site.clerk)
            try await browser.done("/reset/clerk")
            #expect(site.clerk.controlCalls.userCount() == 0)
        }
    }
}
