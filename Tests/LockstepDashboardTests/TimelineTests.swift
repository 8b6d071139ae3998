import Foundation
import LockstepDashboard
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite("The timeline of all backends", .limitedConcurrency)
struct TimelineTests {
    private static let password = "Correct-Horse-1"

    /// Signs up on GoTrue.
    private func signUp(_ email: String, _ site: DashboardSite, key: String? = nil) async throws {
        let key = try #require(key ?? site.goTrue.ready.variables["publishable"]?.string)
        _ = try? await site.send(
            .post, site.goTrue.base + "/auth/v1/signup", headers: ["apikey": key],
            body: .json(["email": .string(email), "password": .string(Self.password)]))
    }

    /// The rows of the page's timeline, newest first.
    private func rows(_ page: String) -> [String] {
        let table = page.components(separatedBy: "aria-label=\"Timeline\"").dropFirst().first ?? ""
        return (table.components(separatedBy: "<tbody>").dropFirst().first ?? "").components(separatedBy: "</tbody>")[0]
            .components(separatedBy: "<tr>").dropFirst().map { String($0) }
    }

    @Test func rejectedRequestNamesTheReason() async throws {
        try await DashboardSite.run { site in
            try await signUp("ada@example.com", site, key: "of-another-project")
            let row = try #require(rows(try await site.browser().page("/")).first)
            #expect(row.contains("signed up: rejected (Invalid API key)"), "\(row)")
        }
    }

    @Test func signUpShowsItsCodeAndItsUser() async throws {
        try await DashboardSite.run { site in
            try await signUp("ada@example.com", site)
            let code = try #require(site.goTrue.panel.outbox.mails.first?.code)
            let id = try #require(
                await site.goTrue.controlCalls.send("GET", "/users").document["users"]?[0]?["id"]?.string)
            let browser = try await site.browser()
            let row = try #require(rows(try await browser.page("/")).first)
            #expect(row.contains(">\(code)<") && row.contains("/users/gotrue/\(id)") && row.contains("/requests/gotrue/1"))
            #expect(!row.contains(Self.password))
            // The same line is on the user's page, with the code above it.
            let page = try await browser.page("/users/gotrue/\(id)")
            #expect(rows(page).count == 1 && page.components(separatedBy: ">\(code)<").count >= 5)
            for (query, count) in [("ada", 1), ("bob", 0)] {
                #expect(rows(try await browser.page("/?query=\(query)")).count == count, "\(query)")
            }
        }
    }

    /// Each provider that hides accounts sends nothing, and the timeline says why.
    @Test func silenceHasItsReason() async throws {
        try await DashboardSite.run { site in
            try await signUp("ada@example.com", site)
            let link = try #require(site.goTrue.panel.outbox.mails.first?.link)
            _ = try await site.send(.get, link)
            try await signUp("ada@example.com", site)
            let key = try #require(site.goTrue.ready.variables["publishable"]?.string)
            _ = try await site.send(
                .post, site.goTrue.base + "/auth/v1/recover", headers: ["apikey": key],
                body: .json(["email": "nobody@example.com"]))
            let browser = try await site.browser()
            let shown = rows(try await browser.page("/"))
            #expect(shown.count == 4)
            #expect(shown[0].contains("no message: ") && shown[1].contains("no message: ") && !shown[3].contains("no message: "))
            #expect(site.goTrue.panel.outbox.mails.count == 1)
            // The client does not learn the reason.
            let entry = try #require(site.goTrue.panel.transcript.entries.last)
            #expect(!String(decoding: entry.response.body, as: UTF8.self).contains("hides"))
        }
    }

    @Test func lostAnswerAndItsRepetitionAreMarked() async throws {
        try await DashboardSite.run { site in
            try site.goTrue.panel.fail("POST", "/signup*", with: .loseResponse)
            for _ in 0..<2 { try await signUp("ada@example.com", site) }
            let shown = rows(try await site.browser().page("/"))
            #expect(shown.count == 2 && shown[0].contains(" again") && shown[1].contains("lost by a fault"))
        }
    }

    /// However much happens, the page has fifty lines.
    @Test func manyEventsMakeNoLongerPage() async throws {
        try await DashboardSite.run { site in
            for number in 0..<160 { try await signUp("user\(number)@example.com", site) }
            let page = try await site.browser().page("/")
            #expect(rows(page).count == 50 && page.utf8.count < 120_000, "\(page.utf8.count)")
        }
    }

    /// Passwords, tokens and codes stay on the page.
    @Test func markdownHasNoSecrets() async throws {
        try await DashboardSite.run { site in
            try await signUp("ada|pipe@example.com", site)
            try await signUp("ada@example.com", site)
            let mail = try #require(site.goTrue.panel.outbox.mails.first)
            let browser = try await site.browser()
            let key = try #require(site.goTrue.ready.variables["publishable"]?.string)
            let id = await site.goTrue.controlCalls.send("GET", "/users").document["users"]?[1]?["id"]?.string ?? ""
            for path in ["/", "/requests/gotrue/1", "/users/gotrue/\(id)"] {
                let page = try await browser.page(path)
                let start = try #require(page.firstRange(of: "aria-label=\"Markdown\">"))
                let text = page[start.upperBound...].components(separatedBy: "</textarea>")[0]
                #expect(text.contains("ada"), "\(path)")
                for secret in [Self.password, mail.code ?? "-", mail.link ?? "-", key] {
                    #expect(!text.contains(secret), "\(path)")
                }
            }
            #expect(try await browser.page("/").contains("ada\\|pipe@example.com"))
        }
    }

    @Test func linesForATerminalNameCodesAndReasons() async throws {
        try await DashboardSite.run { site in
            let emulators = [DashboardEmulator(title: "Supabase (GoTrue)", server: site.goTrue)]
            try await signUp("before@example.com", site)
            var lines = EventLines(emulators, dashboard: site.dashboard.base)
            try await signUp("ada@example.com", site)
            let code = try #require(site.goTrue.panel.outbox.mails.first?.code)
            let first = await lines.next()
            #expect(first.count == 1 && first[0].contains("POST /auth/v1/signup 200"), "\(first)")
            #expect(first[0].contains("ada@example.com: \(code)") && first[0].contains("\(site.dashboard.base)/m/gotrue/2"))
            _ = try await site.send(.get, try #require(site.goTrue.panel.outbox.mails.first?.link))
            try await signUp("ada@example.com", site)
            let next = await lines.next()
            #expect(next.count == 2 && next[1].contains("no message: "), "\(next)")
            for line in first + next { #expect(!line.contains(Self.password) && !line.contains("access_token")) }
            // After a reset, the numbers of requests begin again.
            try site.goTrue.panel.reset()
            try await signUp("later@example.com", site)
            var later: [String] = []
            while later.isEmpty { later = await lines.next() }
            #expect(later.count == 1 && later[0].contains("later@example.com"))
            let browser = try await site.browser()
            let number = try #require(site.goTrue.panel.outbox.mails.first?.number)
            let answer = try await browser.get("/m/gotrue/\(number)")
            #expect(answer.status == 303 && answer.headers["Location"]?.hasPrefix("/inbox/gotrue/") == true)
            #expect(try await browser.get("/m/gotrue/x").status == 404)
        }
    }

    /// The same sign-up on each backend, through its own routes.
    @Test func sideBySideRunsOnAllBackends() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            #expect(!(try await browser.page("/side-by-side")).contains("<table>"))
            try await browser.done("/side-by-side")
            var page = try await browser.page("/side-by-side")
            while !page.contains(">Done: ") {
                let number = try #require(try await browser.get("/changes").json()["number"]?.string)
                page = try await browser.page("/side-by-side")
                if page.contains(">Done: ") { break }
                _ = try await browser.get("/changes?wait=1&after=\(number)")
            }
            let table = page.components(separatedBy: "<tbody>")[1].components(separatedBy: "</tbody>")[0]
            #expect(
                !table.contains("class=\"bad\"") && !table.contains("<td>–</td>") && !table.contains("<td>…</td>"), "\(table)")
            for emulator in site.emulators {
                #expect(emulator.controlCalls.userCount() == 1 && emulator.panel.outbox.mails.count == 1)
                let user = await emulator.controlCalls.send("GET", "/users").document["users"]?[0]
                #expect(user?["emailConfirmed"] == true, "\(emulator.ready.provider)")
            }
        }
    }

    /// A request of the page fails again: once, or for its user.
    @Test func requestIsMadeToFail() async throws {
        try await DashboardSite.run { site in
            try await signUp("ada@example.com", site)
            let browser = try await site.browser()
            #expect(try await browser.page("/requests/gotrue/1").contains("Fail it for this user"))
            let fields = [("provider", "gotrue"), ("method", "POST"), ("path", "/auth/v1/signup"), ("effect", "lose-answer")]
                .map { (name: $0.0, value: $0.1) }
            try await browser.done("/faults", fields + [(name: "times", value: "1")])
            #expect(site.goTrue.panel.faults.last?.remaining == 1)
            try await signUp("bob@example.com", site)
            #expect(site.goTrue.panel.transcript.entries.last?.isFaulty == true)
            try await browser.done("/faults", fields + [(name: "address", value: "ada@example.com")])
            for (email, isFaulty) in [("ada@example.com", true), ("carol@example.com", false), ("ada@example.com", true)] {
                try await signUp(email, site)
                #expect(site.goTrue.panel.transcript.entries.last?.isFaulty == isFaulty, "\(email)")
            }
        }
    }

    /// The form of a fault has only the fields of its effect, and keeps them after an error.
    @Test func faultFormHasTheFieldsOfItsEffect() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            for (effect, has, hasNot) in [
                ("delay", "seconds", "status"), ("status", "status", "after"), ("close", "times", "body"),
            ] {
                let page = try await browser.page("/faults?effect=\(effect)")
                #expect(page.contains("name=\"\(has)\"") && !page.contains("name=\"\(hasNot)\""), "\(effect)")
            }
            let answer = try await browser.post(
                "/faults", [("effect", "delay"), ("seconds", "long"), ("path", "/x")].map { (name: $0.0, value: $0.1) })
            let page = answer.text ?? ""
            #expect(answer.status == 422 && page.contains("name=\"seconds\" value=\"long\"") && page.contains("value=\"/x\""))
        }
    }

    @Test func findListsUsersMessagesSettingsAndActions() async throws {
        try await DashboardSite.run { site in
            try await signUp("needle@example.com", site)
            let browser = try await site.browser()
            let page = try await browser.page("/find?query=needle")
            #expect(page.contains("/users/gotrue/") && page.contains("/inbox/gotrue/"))
            #expect(try await browser.page("/find?query=password_min").contains("GOTRUE_PASSWORD_MIN_LENGTH"))
            #expect(try await browser.page("/find?query=advance").contains("Advance one hour"))
        }
    }
}
