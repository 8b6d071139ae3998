import Foundation
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepDashboard

@Suite("Pages of the dashboard", .limitedConcurrency)
struct PageTests {
    @Test func startPageShowsAddressesAndKeys() async throws {
        try await DashboardSite.run { site in
            let page = try await site.browser().page("/")
            for emulator in site.emulators { #expect(page.contains(emulator.base)) }
            for name in ["publishable", "api_key", "secret_key"] { #expect(page.contains(name)) }
            for line in ["createClient(", "connectAuthEmulator(", "new Clerk(", "GoTrueAdapter(", "firebase_admin", "curl -H"] {
                #expect(page.contains(line), "\(line)")
            }
        }
    }

    @Test func requestsAreFilteredAndShownAsCurl() async throws {
        try await DashboardSite.run { site in
            let key = try #require(site.goTrue.ready.variables["publishable"]?.string)
            _ = try await site.send(
                .post, site.goTrue.base + "/auth/v1/signup", headers: ["apikey": key],
                body: .json(["email": "o'neill@example.com", "password": "Correct-Horse-1"]))
            _ = try await site.send(.get, site.goTrue.base + "/nowhere")
            let browser = try await site.browser()
            let (signUp, nowhere) = ("href=\"/requests/gotrue/1\"", "href=\"/requests/gotrue/2\"")
            let rejected = try await browser.page("/requests?status=4xx")
            #expect(rejected.contains(nowhere) && !rejected.contains(signUp))
            // A part of a path, a whole path, and a pattern.
            for query in ["signup", "/auth/v1/signup", "*sign*"] {
                let found = try await browser.page("/requests?query=\(query)&method=post")
                #expect(found.contains(signUp) && !found.contains(nowhere), "\(query)")
            }
            let page = try await browser.page("/requests/gotrue/1")
            #expect(page.contains("curl -X &#39;POST&#39;") && !page.contains("Correct-Horse-1") && !page.contains(key))
            #expect(page.contains(#"o&#39;\&#39;&#39;neill"#))
        }
    }

    @Test func requestsAreOrderedByTheMachinesClock() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            _ = try await site.send(.get, site.goTrue.base + "/first")
            try await browser.done("/clock", [(name: "action", value: "86400")])
            _ = try await site.send(.get, site.clerk.base + "/second")
            try await browser.done("/clock", [(name: "action", value: "machine")])
            _ = try await site.send(.get, site.goTrue.base + "/third")
            let page = try await browser.page("/requests")
            let places = try ["third</a>", "second</a>", "first</a>"].map { try #require(page.firstRange(of: $0)).lowerBound }
            #expect(places == places.sorted())
        }
    }

    /// A request that ends while a page is being built is a change for the page.
    @Test func changesDuringTheRenderingAreNotMissed() async throws {
        try await DashboardSite.run { site in
            let emulators = [DashboardEmulator(title: "GoTrue", server: site.goTrue)]
            let request = EmulatorRequest(method: "GET", target: "/requests", headers: Headers(), body: [])
            let session = BrowserSession(cookie: "", formToken: "")
            let visit = Visit(request, session, to: emulators, clock: SystemClock())
            let before = site.goTrue.panel.changes.number
            _ = try await site.send(.get, site.goTrue.base + "/health")
            let page = Layout.page(visit, "Requests", in: "requests", following: [.requests], "")
            #expect(site.goTrue.panel.changes.number > before)
            #expect(String(decoding: page.body, as: UTF8.self).contains("data-changes=\"\(before)\""))
        }
    }

    @Test func olderRequestsAreOnFurtherPages() async throws {
        try await DashboardSite.run { site in
            for number in 0..<62 { _ = try await site.send(.get, site.goTrue.base + "/number/\(number)/") }
            let browser = try await site.browser()
            let first = try await browser.page("/requests?method=get")
            #expect(first.contains("</span>61/</a>") && !first.contains("</span>11/</a>") && first.contains("page=2"))
            let second = try await browser.page("/requests?method=get&page=2")
            #expect(second.contains("</span>11/</a>") && second.contains("</span>0/</a>") && !second.contains("</span>61/</a>"))
            #expect(second.contains("page=1") && !second.contains("page=3") && second.contains("method=get"))
        }
    }

    /// The backend's redirect says whether it accepts a link.
    ///
    /// A second use is an error.
    @Test func usedLinkIsReportedAsRejected() async throws {
        try await DashboardSite.run { site in
            let key = try #require(site.goTrue.ready.variables["publishable"]?.string)
            _ = try await site.send(
                .post, site.goTrue.base + "/auth/v1/signup", headers: ["apikey": key],
                body: .json(["email": "ada@example.com", "password": "Correct-Horse-1"]))
            let mail = try #require(site.goTrue.panel.outbox.mails.first)
            let browser = try await site.browser()
            let path = "/inbox/gotrue/\(mail.id)/elsewhere"
            let first = try await browser.post(path, [(name: "link", value: "0")]).text ?? ""
            #expect(first.contains("The provider accepted the link") && !first.contains("access_token"), "\(first)")
            let second = try await browser.post(path, [(name: "link", value: "0")]).text ?? ""
            #expect(second.contains("The provider rejected the link"), "\(second)")
        }
    }

    /// The response comes with the change and names its kind.
    ///
    /// A change of another emulator is not lost.
    @Test func changesAreReported() async throws {
        try await DashboardSite.run { site in
            let browser = try await site.browser()
            let start = try await browser.get("/changes").json()
            let number = try #require(start["number"]?.string)
            async let waiting = browser.get("/changes?wait=30&after=\(number)")
            try site.clerk.panel.outbox.text(to: "1", "a")
            let news = try await waiting.json()
            #expect(news["kinds"]?.array?.contains("messages") == true && news["number"]?.string != number)
            try site.firebase.panel.outbox.text(to: "1", "a")
            try site.goTrue.panel.fail(with: .close)
            let both = try await browser.get("/changes?after=\(news["number"]?.string ?? "")").json()
            #expect(both["kinds"] == ["faults", "messages"])
            let quiet = try await browser.get("/changes?after=\(both["number"]?.string ?? "")").json()
            #expect(quiet["kinds"] == [] && quiet["number"] == both["number"])
        }
    }

    @Test func aTokenIsShownWithItsTimes() async throws {
        try await DashboardSite.run { site in
            let id = await site.user(["email": "ada@example.com"], at: site.goTrue)
            let session = await site.goTrue.controlCalls.send("POST", "/users/\(id)/sign-in", [:]).document
            let token = try #require(session["accessToken"]?.string)
            let browser = try await site.browser()
            let page = try await browser.post("/sessions/decode", [(name: "jwt", value: token + "\n")])
            #expect(page.text?.contains(id) == true && page.text?.contains("in 59 minutes") == true)
            #expect(page.text?.contains("The signature was not checked.") == true)
        }
    }
}
