import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The pages at the addresses of the ready line, in a person's browser.
@Suite("The inbox in a browser", .limitedConcurrency)
struct InboxPageTests {
    /// A browser that opens an address from a terminal.
    private static let browser = ["Sec-Fetch-Site": "none", "Accept": "text/html"]

    @Test func inboxAddressServesAPage() async throws {
        try await withServer { server async throws in
            let inbox = try #require(server.ready.json["inbox"]?.string?.dropFirst(server.base.count))
            try server.panel.outbox.mail(
                to: "ada@example.com", subject: "<b>Code & link</b>", text: "Your code: 123456",
                html: "<p>Code <script>alert(1)</script></p>", code: "123456", link: nil, from: "no-reply@lockstep.test")
            try server.panel.outbox.text(to: "+15550100", "Your code is 654321", code: "654321")
            for path in [String(inbox), inbox + "/"] {
                let page = try await send("GET", path, to: server, headers: Self.browser)
                #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=utf-8")
                #expect(page["Content-Security-Policy"]?.contains("default-src 'none'") == true)
                for text in ["ada@example.com", "123456", "&lt;b&gt;Code &amp; link&lt;/b&gt;", "+15550100", "654321"] {
                    #expect(page.body.contains(text), "\(text)")
                }
                #expect(!page.body.contains("<b>"))
            }
        }
    }

    /// The page shows codes.
    ///
    /// A page of another site must not read it.
    @Test func pagesOfOtherSitesAreRejected() async throws {
        try await withServer { server async throws in
            for path in ["/inbox", "/inbox/", "/inbox/view/latest.html", "/ready"] {
                for headers in [["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
                    let answer = try await send("GET", "/__lockstep" + path, to: server, headers: headers)
                    #expect(answer.status == 403, "\(path) \(headers)")
                }
            }
        }
    }

    @Test func readinessNeedsNoToken() async throws {
        var options = EmulatorOptions()
        options.isReadyAtStart = false
        try await withServer(options) { server async throws in
            let early = try await send("GET", "/__lockstep/ready", to: server)
            #expect(early.status == 503 && early.json == ["provider": "notes", "ready": false])
            server.panel.markReady()
            let late = try await send("GET", "/__lockstep/ready", to: server)
            #expect(late.status == 200 && late.json == ["provider": "notes", "ready": true])
        }
        try await withServer { server async throws in
            #expect(try await send("GET", "/__lockstep/ready", to: server).status == 200)
        }
    }

    @Test func otherInboxRoutesNeedTheToken() async throws {
        try await withServer { server async throws in
            for path in ["/inboxes", "/readyness", "/ready/", "/sms2"] {
                #expect(try await send("GET", "/__lockstep" + path, to: server).status == 401, "\(path)")
            }
        }
    }
}
