import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@Suite(.limitedConcurrency)
struct OutboxTests {
    private func outbox() -> Outbox { Outbox(clock: SystemClock(), randomness: SeededRandomness(seed: 1)) }

    @Test func mailsAreReturnedOnceInOrder() async throws {
        let outbox = outbox()
        for subject in ["1", "2"] { try outbox.mail(to: "Ada@example.com", subject: subject, text: "") }
        #expect(await outbox.nextMail(to: "ada@example.com")?.subject == "1")
        #expect(await outbox.nextMail(to: "ada@example.com")?.subject == "2")
        #expect(outbox.takeMail(to: "ada@example.com") == nil)
    }

    @Test func waitersGetLaterMails() async throws {
        let outbox = outbox()
        async let first = outbox.nextMail(to: "a@example.com")
        async let other = outbox.nextMail(to: "b@example.com")
        try outbox.mail(to: "b@example.com", subject: "b", text: "")
        try outbox.mail(to: "a@example.com", subject: "a", text: "")
        #expect(await first?.subject == "a")
        #expect(await other?.subject == "b")
    }

    @Test func aWaitEndsWithItsTaskAndWithTheOutbox() async throws {
        let outbox = outbox()
        let cancelled = Task { await outbox.nextMail(to: "a@example.com") }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        // The cancelled waiter takes no mail.
        try outbox.mail(to: "a@example.com", subject: "a", text: "")
        #expect(outbox.takeMail(to: "a@example.com")?.subject == "a")
    }

    @Test func inputThatCannotBeSentIsReported() throws {
        let outbox = outbox()
        outbox.failNext()
        #expect(throws: OutboxError.unreachable) { try outbox.mail(to: "a", subject: "", text: "") }
        try outbox.mail(to: "a", subject: "", text: "")
        outbox.isReachable = false
        #expect(throws: OutboxError.unreachable) { try outbox.text(to: "+1", "") }
        outbox.reset()
        try outbox.text(to: "+1", "")
        #expect(outbox.mails.isEmpty)
        #expect(outbox.shortMessages.count == 1)
    }

    @Test func outboxDropsTheOldest() throws {
        let outbox = outbox()
        for number in 0..<1010 { try outbox.mail(to: "a", subject: "\(number)", text: "") }
        #expect(outbox.mails.count == 1000)
        #expect(outbox.mails.last?.subject == "10")
    }

    @Test func servesMailpitsRoutes() async throws {
        try await withServer { server async throws in
            let api = "/__lockstep/inbox/api/v1"
            for name in ["ada", "bob"] { _ = try await send("POST", "/mail", to: server, body: "to=\(name)@example.com") }
            let list = try await send("GET", api + "/messages?limit=1", to: server).json
            #expect(list["total"] == 2)
            #expect(list["count"] == 1)
            #expect(list["messages"]?[0]?["To"]?[0]?["Address"] == "bob@example.com")
            #expect(list["messages"]?[0]?["Read"] == false)
            let found = try await send("GET", api + "/search?query=to:%22ada@example.com%22", to: server).json["messages"]
            #expect(found?.array?.count == 1)
            let id = try #require(found?[0]?["ID"]?.string)
            let whole = try await send("GET", api + "/message/" + id, to: server).json
            #expect(whole["Text"] == "Code 123456")
            #expect(whole["Subject"] == "Your code")
            #expect(try await send("GET", api + "/messages", to: server).json["unread"] == 1)
            #expect(try await send("GET", api + "/message/latest", to: server).json["To"]?[0]?["Address"] == "bob@example.com")
            #expect(try await send("GET", api + "/message/none", to: server).status == 404)
            _ = try await send("DELETE", api + "/messages", to: server, body: #"{"IDs": ["\#(id)"]}"#)
            #expect(try await send("GET", api + "/messages", to: server).json["total"] == 1)
            _ = try await send("DELETE", api + "/messages", to: server)
            #expect(try await send("GET", api + "/messages", to: server).json["total"] == 0)
        }
    }

    @Test func servesMailpitsHeadersAndSource() async throws {
        try await withServer { server async throws in
            let outbox = server.panel.outbox
            let page = "<script>alert(1)</script><p>Grüße</p>"
            let long = String(repeating: "ü", count: 60)
            try outbox.mail(to: "plain@example.com", subject: "Plain", text: "Code 1")
            let mail = try outbox.mail(to: "a\r\nBcc: b@example.com", subject: long + "\r\nX-Evil: 1", text: "Hallo", html: page)
            let inbox = "/__lockstep/inbox"
            let view = try await send("GET", "\(inbox)/view/\(mail.id).html", to: server)
            #expect(view.body == page)
            let policy = try #require(view["content-security-policy"])
            #expect(policy.contains("sandbox") && !policy.contains("allow-scripts") && !policy.contains("allow-same-origin"))
            #expect(try await send("GET", "\(inbox)/view/latest.txt", to: server).body == "Hallo")
            #expect(try await send("GET", "\(inbox)/view/none.html", to: server).status == 404)

            let source = try await send("GET", "\(inbox)/api/v1/message/latest/raw", to: server).body
            let head = source.pieces(at: "\n", omittingEmptySubsequences: false).prefix { $0 != "\r" }
            #expect(head.allSatisfy { !$0.hasPrefix("Bcc") && !$0.hasPrefix("X-Evil") && $0.utf8.count <= 78 })
            #expect(source.contains(Base64.encode(page.utf8).prefix(60)))
            let headers = try await send("GET", "\(inbox)/api/v1/message/\(mail.id)/headers", to: server).json
            #expect(headers["To"] == ["aBcc: b@example.com"])
            #expect(headers["Content-Type"]?[0]?.string?.hasPrefix("multipart/alternative") == true)
            let first = try #require(outbox.mails.last)
            #expect(
                try await send("GET", "\(inbox)/view/\(first.id).html", to: server)["content-type"] == "text/plain; charset=utf-8"
            )
        }
    }

    @Test func textMessagesAreListedNewestFirst() async throws {
        try await withServer { server async throws in
            try server.panel.outbox.text(to: "+15550001", "Code 1", code: "1")
            try server.panel.outbox.text(to: "+15550002", "Code 2", code: "2")
            let list = try await send("GET", "/__lockstep/sms", to: server).json
            #expect(
                list == [
                    ["to": "+15550002", "text": "Code 2", "code": "2"], ["to": "+15550001", "text": "Code 1", "code": "1"],
                ])
        }
    }
}
