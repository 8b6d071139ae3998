import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The redirect of a link if its request names another address.
@Suite(.limitedConcurrency)
struct RedirectTests {
    private static let site = "https://good.example"

    private func emulator(_ allowed: [String] = []) throws -> TestEmulator {
        let emulator = try TestEmulator {
            $0.siteURL = Self.site
            $0.allowedRedirects = allowed
        }
        try emulator.administrator.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        return emulator
    }

    /// The redirects of a link that was requested with this target: in the mail, and when opened.
    private func target(_ emulator: TestEmulator, _ wanted: String, headers: HTTPHeaders = [:]) async throws -> [String] {
        emulator.server.panel.advance(by: .seconds(1))
        let query = Percent.encode(wanted)
        let request = HTTPRequest(
            .post, "\(emulator.server.base)/recover?redirect_to=\(query)", headers: headers,
            body: .json(["email": "ada@example.com"]))
        #expect(try await emulator.send(request).status == 200)
        let link = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com")?.link)
        #expect(link.hasPrefix(emulator.server.base + "/verify?"))
        let said = try #require(link.split(separator: "redirect_to=").last)
        let page = try await emulator.get(String(link.dropFirst(emulator.server.base.count)))
        // The link as mailed, and with the target inserted by hand.
        let forged = link.replacing("redirect_to=\(said)", with: "redirect_to=\(query)")
        let other = try await emulator.get(String(forged.dropFirst(emulator.server.base.count)))
        return [Percent.decode(said) ?? "", page, other].map { place in
            switch place {
            case let text as String: text
            case let answer as TestEmulator.TestResponse: answer.response.headers["location"] ?? "no redirect"
            default: ""
            }
        }
    }

    @Test(arguments: [
        "https://evil.example", "//evil.example", "\\\\evil.example", "/\\evil.example", "https://good.example@evil.example/",
        "https://good.example:pw@evil.example/", "https://good.example\\@evil.example/", "https://good.example.evil.example/",
        "https://evil.example/good.example", "https://evil.example#https://good.example",
        "https://evil.example?https://good.example",
        "https://good.examp\u{142}e/", "https://\u{261}ood.example/", "https://xn--ood-uza.example/", "https:good.example",
        "https:///evil.example", "http://good.example/", "javascript://good.example/%0aalert(1)", "data:text/html,x",
        "2130706433",
        "http://2130706433/", "https://good.example\r\n.evil.example/", "https://good.example\0.evil.example/",
    ])
    func unlistedRedirectGoesToTheSiteURL(_ wanted: String) async throws {
        let emulator = try emulator(["https://app.example/*"])
        for place in try await target(emulator, wanted) {
            #expect(place == Self.site || place.hasPrefix(Self.site + "#") || place.hasPrefix(Self.site + "?"), "\(place)")
        }
    }

    @Test(arguments: [
        ("https://app.example/callback", true), ("https://app.example/", true), ("https://app.example/a?b=c", true),
        ("https://app.example/..%2f", false), ("https://app.example/../x", false), ("https://app.example/a/b", false),
        ("https://APP.example/callback", false), ("HTTPS://app.example/callback", false),
        ("https://app.example./callback", false), ("https://app.example:8443/callback", false),
        ("https://app.example:443/callback", false), ("https://app.example", false), ("https://user@app.example/callback", false),
        ("https://app.example.evil.example/callback", false), ("https://xapp.example/callback", false),
        ("http://app.example/callback", false), ("https://app.example//evil.example", false),
    ])
    func redirectPatternMatchesListedURLs(_ wanted: String, _ isAllowed: Bool) async throws {
        let emulator = try emulator(["https://app.example/*"])
        for place in try await target(emulator, wanted) {
            let end = isAllowed ? wanted.split(separator: "?")[0] : Self.site[...]
            #expect(place.hasPrefix(end), "\(place)")
            #expect(place.hasPrefix("https://app.example") == isAllowed, "\(place)")
        }
    }

    /// Links use the address of the settings or of the socket, whatever a proxy or an attacker sends.
    @Test(arguments: [nil, "https://auth.example"] as [String?])
    func linksIgnoreTheHostHeaders(_ external: String?) async throws {
        let emulator = try TestEmulator {
            $0.siteURL = Self.site
            $0.externalURL = external
        }
        try emulator.administrator.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        for headers: HTTPHeaders in [
            ["X-Forwarded-Host": "evil.example"], ["X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"],
            ["Forwarded": "host=evil.example;proto=https"], ["X-Host": "evil.example"], ["X-Original-Host": "evil.example"],
            ["X-Forwarded-Server": "evil.example"], ["X-HTTP-Host-Override": "evil.example"], ["Host": "localhost:1"],
            ["Host": "evil.localhost"], ["Referer": "https://evil.example/"], ["Origin": "https://evil.example"],
            ["redirect_to": "https://evil.example/"],
        ] {
            emulator.server.panel.advance(by: .seconds(1))
            let request = HTTPRequest(
                .post, emulator.server.base + "/recover", headers: headers, body: .json(["email": "ada@example.com"]))
            #expect(try await emulator.send(request).status == 200)
            let mail = try #require(emulator.server.panel.outbox.takeMail(to: "ada@example.com"))
            let link = try #require(mail.link)
            #expect(link.hasPrefix((external ?? emulator.server.base) + "/verify?"), "\(headers): \(link)")
            #expect(!mail.html.contains("evil") && !mail.text.contains("evil") && !link.contains("localhost:1/"), "\(headers)")
        }
    }

    /// A user's own values are escaped in a mail, and the mail has one recipient.
    @Test func userTextIsEscapedInMails() async throws {
        let emulator = try TestEmulator { $0.mail.subjects["CONFIRMATION"] = "For {{ .Data.name }}" }
        for address in [
            "ada@example.com,eve@example.com", "ada@example.com;eve@example.com", "\"ada@example.com\" <eve@example.com>",
            "ada@example.com\r\nBcc: eve@example.com", "<b>ada</b>@example.com", "ada@example.com\0",
        ] {
            let refused = try await emulator.post(
                "/signup", ["email": .string(address), "password": .string(TestEmulator.password)])
            #expect(refused.status == 400 && refused.code == "validation_failed", "\(address.debugDescription)")
        }
        #expect(emulator.server.panel.outbox.mails.isEmpty)
        let name = "<img src=x onerror=alert(1)>\r\nBcc: eve@example.com"
        let body: JSON = [
            "email": "ada@example.com", "password": .string(TestEmulator.password), "data": ["name": .string(name)],
        ]
        let target = Percent.encode("http://localhost:3000/\"><script>alert(1)</script>\r\nBcc: eve@example.com")
        #expect(try await emulator.post("/signup?redirect_to=" + target, body).status == 200)
        #expect(emulator.server.panel.outbox.mails.count == 1)
        let mail = try #require(emulator.server.panel.outbox.mails.first)
        #expect(mail.to == "ada@example.com")
        #expect(!mail.html.contains("<img") && !mail.html.contains("<script"))
    }
}
