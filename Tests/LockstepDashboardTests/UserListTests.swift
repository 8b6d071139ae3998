import Foundation
import LockstepDashboard
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite("The table of users", .limitedConcurrency)
struct UserListTests {
    /// The names in the first column, in their order.
    private func names(_ page: String) -> [String] {
        page.components(separatedBy: "<a class=\"name\" href=\"/users/").dropFirst().map {
            String($0.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
        }
    }

    private func count(_ page: String) -> String {
        page.firstRange(of: "<span class=\"count\">").map { _ in
            let heading = page[(page.firstRange(of: "<h1>")?.upperBound ?? page.startIndex)...]
            let start = heading.firstRange(of: "class=\"count\">")?.upperBound ?? heading.startIndex
            return String(heading[start...].prefix { $0 != "<" })
        } ?? ""
    }

    /// The newest users come first, also those of one millisecond.
    @Test(arguments: ["firebase", "gotrue", "clerk"]) func newestUsersComeFirst(_ provider: String) async throws {
        try await DashboardSite.run { site in
            let emulator = try #require(site.emulators.first { $0.ready.provider == provider })
            let now = String(emulator.panel.clock.now.milliseconds)
            _ = await emulator.controlCalls.send("POST", "/clock", query: [(name: "now", value: now)])
            for number in 0..<60 { _ = await site.user(["email": .string("user\(number)@example.com")], at: emulator) }
            let browser = try await site.browser()
            let first = try await browser.page("/users?provider=\(provider)")
            let all = (0..<60).reversed().map { "user\($0)@example.com" }
            #expect(names(first) == Array(all.prefix(50)) && first.utf8.count < 60_000 && count(first) == "60")
            #expect(first.contains("/users?provider=\(provider)&amp;page=2") && !first.contains("Previous page"))
            let second = try await browser.page("/users?provider=\(provider)&page=2")
            #expect(names(second) == Array(all.suffix(10)) && second.contains("Previous page") && !second.contains("Next page"))
            for (query, found) in [("user7@", "1 of 60"), ("nobody", "0 of 60"), ("user", "60 of 60")] {
                #expect(count(try await browser.page("/users?provider=\(provider)&query=\(query)")) == found, "\(query)")
            }
            let sorted = try await browser.page("/users?provider=\(provider)&sort=address&order=up&page=2")
            #expect(names(sorted) == Array(all.sorted().suffix(10)) && sorted.contains("aria-sort=\"ascending\""))
        }
    }

    @Test func usersOfAllProvidersAreOneTable() async throws {
        try await DashboardSite.run { site in
            for (number, emulator) in site.emulators.enumerated() {
                let time = String(1_800_000_000_000 + number * 1000)
                _ = await emulator.controlCalls.send("POST", "/clock", query: [(name: "now", value: time)])
                _ = await site.user(["email": .string("\(["b", "c", "a"][number])@example.com")], at: emulator)
            }
            let browser = try await site.browser()
            #expect(names(try await browser.page("/users")) == ["a@example.com", "c@example.com", "b@example.com"])
            for (order, expected) in [("up", ["a", "b", "c"]), ("down", ["c", "b", "a"])] {
                let page = try await browser.page("/users?sort=address&order=\(order)")
                #expect(names(page) == expected.map { "\($0)@example.com" })
            }
            #expect(count(try await browser.page("/users?query=a@")) == "1 of 3")
        }
    }

    /// A user signs in later than the others, and comes first.
    @Test(arguments: ["gotrue", "clerk"]) func lastSignInOrdersTheTable(_ provider: String) async throws {
        try await DashboardSite.run { site in
            let emulator = try #require(site.emulators.first { $0.ready.provider == provider })
            var ids: [String] = []
            for name in ["x", "y", "z"] {
                ids.append(await site.user(["email": .string("\(name)@example.com"), "emailConfirmed": true], at: emulator))
            }
            for id in [ids[2], ids[0]] {
                emulator.panel.advance(by: .seconds(5))
                #expect(await emulator.controlCalls.send("POST", "/users/\(id)/sign-in", [:]).status == 201)
            }
            let page = try await site.browser().page("/users?provider=\(provider)&sort=signed-in&order=down")
            #expect(names(page) == ["x@example.com", "z@example.com", "y@example.com"])
        }
    }

    @Test(arguments: ["firebase", "gotrue", "clerk"]) func filtersSelectUsersByState(_ provider: String) async throws {
        try await DashboardSite.run { site in
            let emulator = try #require(site.emulators.first { $0.ready.provider == provider })
            let browser = try await site.browser()
            _ = await site.user(
                ["email": "verified@example.com", "emailConfirmed": true, "password": "Correct-Horse-1"], at: emulator)
            _ = await site.user(["email": "open@example.com", "emailConfirmed": false], at: emulator)
            _ = await site.user(["email": "off@example.com", "emailConfirmed": true, "disabled": true], at: emulator)
            let second = await site.user(["email": "two@example.com", "emailConfirmed": true], at: emulator)
            let factor = await emulator.controlCalls.send("POST", "/users/\(second)/factors", ["kind": "totp"])
            let phone = await site.user(["phone": "+15550100", "phoneConfirmed": true], at: emulator)
            #expect(!phone.isEmpty)
            var expected = [
                "state=verified": ["off@", "two@", "verified@"], "state=unverified": ["open@"], "state=disabled": ["off@"],
                "method=phone": ["+15550100"], "method=password": ["verified@"], "method=google": [], "state=anonymous": [],
            ]
            if factor.status == 201 { expected["state=second-factor"] = ["two@"] }
            for (query, users) in expected {
                let page = try await browser.page("/users?provider=\(provider)&sort=address&order=up&\(query)")
                let found = names(page).map { $0.hasPrefix("+") ? $0 : String($0.prefix { $0 != "@" }) + "@" }
                #expect(found == users && count(page) == "\(users.count) of 5", "\(query)")
            }
        }
    }

    /// The number of users follows each change, also through the provider's own routes.
    @Test func numberOfUsersIsCurrent() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            for number in 0..<3 {
                for _ in 0..<2 { #expect(count(try await browser.page("/users?provider=gotrue")) == "\(number)") }
                let key = try #require(site.goTrue.ready.variables["publishable"]?.string)
                _ = try await site.send(
                    .post, site.goTrue.base + "/auth/v1/signup", headers: ["apikey": key],
                    body: .json(["email": .string("user\(number)@example.com"), "password": "Correct-Horse-1"]))
            }
        }
    }

    /// A rejected form is shown again, with the values and the error at the field.
    @Test func rejectedFormKeepsItsValues() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let fields = [
                ("provider", "clerk"), ("email", "no address"), ("displayName", "Ada <3"), ("password", "Correct-Horse-1"),
            ]
            let answer = try await browser.post("/users", fields.map { (name: $0.0, value: $0.1) })
            let page = answer.text ?? ""
            #expect(answer.status == 422 && page.contains("<h1>New user"))
            #expect(page.contains("name=\"email\" value=\"no address\"") && page.contains("aria-invalid=\"true\""))
            #expect(page.contains("value=\"Ada &lt;3\"") && page.contains("<option value=\"clerk\" selected>"))
            #expect(page.contains("role=\"alert\""))

            let id = await site.user(["email": "ada@example.com"], at: site.clerk)
            let edited = try await browser.post(
                "/users/clerk/\(id)",
                [("email", "wrong"), ("was-email", "ada@example.com"), ("displayName", "Ada"), ("was-displayName", "")]
                    .map { (name: $0.0, value: $0.1) })
            let form = edited.text ?? ""
            #expect(edited.status == 422 && form.contains("<details open><summary>Edit"))
            #expect(
                form.contains("name=\"email\" value=\"wrong\"") && form.contains("name=\"was-email\" value=\"ada@example.com\""))
            #expect(form.contains("name=\"displayName\" value=\"Ada\"") && form.contains("name=\"was-displayName\" value=\"\""))
        }
    }
}
