import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct MailTests {
    @Test func templatesAreFetchedAndFilled() async throws {
        let pages = try ScriptedServer.start()
        defer { pages.stop() }
        let page = "<a href=\"{{ .ConfirmationURL }}\">{{ .Data.name }} {{ .Token }} {{.SiteURL}}</a>"
        pages.emulator.say("confirm", .html(page))
        let emulator = try TestEmulator {
            $0.mail.templates["CONFIRMATION"] = pages.base + "/confirm"
            $0.mail.templates["RECOVERY"] = "http://127.0.0.1:1/nobody"
        }
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1", "data": ["name": "<Ada>"]]
        _ = try await emulator.post("/signup", body)
        let mail = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com"))
        let link = try #require(mail.link).replacing("&", with: "&amp;")
        #expect(mail.html == "<a href=\"\(link)\">&lt;Ada&gt; \(mail.code ?? "") http://localhost:3000</a>")
        _ = try await emulator.post("/recover", ["email": "ada@example.com"])
        #expect(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.html.contains("token=") == true)
    }

    /// The server fetches the mail's template after it has written the text message, and then runs the handler again.
    @Test func aHandlerThatRunsAgainSendsItsTextMessageOnce() async throws {
        let pages = try ScriptedServer.start()
        defer { pages.stop() }
        pages.emulator.say("change", .html("{{ .Token }}"))
        let emulator = try TestEmulator { $0.mail.templates["EMAIL_CHANGE"] = pages.base + "/change" }
        let session = try await emulator.person()
        let change: JSON = ["email": "new@example.com", "phone": "+15551234567"]
        #expect(try await emulator.put("/user", change, bearer: session["access_token"]).status == 200)
        #expect(emulator.server.panel.outbox.shortMessages.count == 1)
        #expect(emulator.server.panel.outbox.mails(to: "new@example.com").count == 1)
        #expect(pages.emulator.requests("change").count == 1)
    }

    @Test func onlyAuthorizedAddressesGetMail() async throws {
        let emulator = try TestEmulator { $0.mail.authorizedAddresses = ["team@example.com"] }
        let allowed = try await emulator.post("/signup", ["email": "Team+1@example.com", "password": "Correct-Horse-1"])
        #expect(allowed.status == 200)
        let refused = try await emulator.post("/signup", ["email": "ada@example.com", "password": "Correct-Horse-1"])
        #expect(refused.status == 400 && refused.code == "email_address_not_authorized")
        #expect(refused["msg"] == "Email address \"ada@example.com\" cannot be used as it is not authorized")
        #expect(try emulator.administrator.userCount() == 1)
    }

    @Test func mailsAreCountedByTheHour() async throws {
        let emulator = try TestEmulator { $0.limits.mails = SendingRate(perHour: 2) }
        let session = try await emulator.person()
        _ = try await emulator.put("/user", ["email": "new@example.com"], bearer: session["access_token"])
        #expect(emulator.server.panel.outbox.mails(to: "new@example.com").count == 1)
        #expect(try await emulator.post("/recover", ["email": "ada@example.com"]).status == 200)
        let refused = try await emulator.post("/recover", ["email": "ada@example.com"])
        #expect(refused.status == 429 && refused.code == "over_email_send_rate_limit")
        #expect(refused["msg"] == "email rate limit exceeded")
        #expect(try await emulator.post("/recover", ["email": "nobody@example.com"]).status == 200)
        emulator.server.panel.advance(by: .seconds(3600))
        for status in [200, 200, 429] {
            #expect(try await emulator.post("/recover", ["email": "ada@example.com"]).status == status)
        }
    }

    @Test func rateLimitRefillsEvenly() async throws {
        var settings = try GoTrueSettings(environment: [("GOTRUE_RATE_LIMIT_SMS_SENT", "2/10m")])
        let rate = try #require(settings.limits.messages)
        settings.limits.messages = nil
        let emulator = try TestEmulator {
            $0.limits.messages = rate
            $0.sms.interval = .milliseconds(1)
        }
        for (seconds, status) in [(0, 200), (0, 200), (0, 429), (299, 429), (1, 200), (0, 429)] {
            emulator.server.panel.advance(by: .seconds(seconds))
            #expect(try await emulator.post("/otp", ["phone": "+15551234567"]).status == status)
        }
    }

    @Test func disabledMailSendsNothing() async throws {
        let emulator = try TestEmulator {
            $0.limits.mails = SendingRate(perHour: 0)
            $0.mail.confirmsByItself = true
        }
        #expect(try await emulator.post("/signup", ["email": "a@example.com", "password": "Correct-Horse-1"]).status == 200)
        #expect(try await emulator.post("/recover", ["email": "a@example.com"]).code == "over_email_send_rate_limit")
    }
}
