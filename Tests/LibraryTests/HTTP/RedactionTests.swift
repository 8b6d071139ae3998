import LockstepHTTP
import LockstepPrimitives
import Testing

@Suite struct RedactionTests {
    /// Secrets must not be visible, wherever they are.
    private static let canary = "cAnArY-7f3a9e1b"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    @Test(arguments: [
        "password", "newPassword", "refresh_token", "id_token", "access-token", "code", "oobCode", "token_hash", "apikey", "key",
        "Authorization", "Cookie", "Set-Cookie", "client_secret", "code_verifier", "nonce", "otp", "__clerk_ticket",
        "rotating_token_nonce", "captchaResponse", "captchaResp", "captcha_token", "iosReceipt",
    ])
    func secretsAreMaskedByName(name: String) async throws {
        let request = HTTPRequest(
            .post, "https://user:\(Self.canary)@host/path?\(name)=\(Self.canary)&page=2#\(Self.canary)",
            headers: [name: Self.canary],
            body: .json([name: .string(Self.canary), "list": [.object([name: .array([.string(Self.canary)])])], "page": 2]))
        let form = HTTPRequest(.post, "https://host/", body: .form([name: Self.canary, "page": "2"]))
        let response = HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json; charset=utf-8", name: Self.canary],
            body: JSON.object([name: .string(Self.canary), "deep": .object([name: .object([name: .string(Self.canary)])])])
                .bytes())
        let transport = Answering(response)
        for request in [request, form] {
            let exchange = try await transport.traced(request)
            let shown = "\(exchange)"
            #expect(!shown.contains(Self.canary))
            #expect(shown.contains("page"))
        }
    }

    /// A mark that joins the sign before it hides the sign from a search by `Character`, but not from a server.
    @Test(arguments: ["\u{301}", "\u{d4e}", "\u{200d}", "\u{fe0f}"]) func noMarkHidesASecretOfAnAddress(mark: String) {
        for address in [
            "https://h/?\(mark)a=1&password=\(Self.canary)", "https://h/?a=1&\(mark)b=2&password=\(Self.canary)",
            "https://h/?password=\(mark)\(Self.canary)", "https://h/#\(mark)token=\(Self.canary)",
            "https://user:\(Self.canary)@\(mark)h/", "https://\(mark)user:\(Self.canary)@h/",
            "https://user:\(Self.canary)@h/\(mark)x", "https://h/?link=https%3A%2F%2F\(mark)h%3Ftoken%3D\(Self.canary)",
        ] {
            let shown = Redaction.url(address)
            #expect(!shown.contains(Self.canary), "\(shown)")
        }
    }

    @Test func secretsAreMaskedByShape() async throws {
        let request = HTTPRequest(
            .post, "https://host/?state=\(Self.jwt)",
            headers: ["X-Note": "Bearer abc", "X-Link": "https://h/?token=\(Self.canary)"],
            body: .json(["note": .string(Self.jwt), "link": .string("https://h/v?oobCode=\(Self.canary)&mode=verifyEmail")]))
        let shown = "\(try await Answering(HTTPResponse(status: 204)).traced(request))"
        #expect(!shown.contains(Self.jwt))
        #expect(!shown.contains(Self.canary))
        #expect(!shown.contains("Bearer abc"))
        #expect(shown.contains("mode=verifyEmail"))
    }

    @Test func unknownKindsOfBodyAreReportedBySizeOnly() async throws {
        let exchange = try await Answering(
            HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(Self.canary.utf8))
        )
        .traced(HTTPRequest(.post, "https://host/", body: HTTPBody(Array(Self.canary.utf8), type: nil)))
        #expect(!"\(exchange)".contains(Self.canary))
        #expect(exchange.body == "<15 bytes of no type>")
    }

    @Test func messagesDoNotPrintTheirSecrets() {
        let request = HTTPRequest(
            .post, "https://host/?token=\(Self.canary)", headers: ["Authorization": Self.canary],
            body: .form(["password": Self.canary]))
        let response = HTTPResponse(status: 200, headers: ["Set-Cookie": Self.canary], body: Array(Self.canary.utf8))
        let form: HTTPForm = ["password": Self.canary]
        var shown =
            "\(request) \(response) \(request.headers) \(request.headers.fields) \(request.body) \(form) \([request])"
        dump(request, to: &shown)
        dump(response, to: &shown)
        dump(request.headers, to: &shown)
        dump(request.headers.fields, to: &shown)
        dump(form, to: &shown)
        #expect(!shown.contains(Self.canary))
        #expect(shown.contains("Authorization: <redacted>"))
    }

    @Test func markedHeadersAreMaskedRegardlessOfTheirName() async throws {
        var request = HTTPRequest(.get, "https://host/", headers: ["X-Device": "former", "X-Page": "two"])
        request.headers.set("x-device", secret: Secret(Self.canary))
        let quoting = HTTPResponse(
            status: 400, headers: ["Content-Type": "application/json"], body: JSON.string(Self.canary).bytes())
        let exchange = try await Answering(quoting).traced(request)
        var shown = "\(exchange) \(exchange.headers) \(exchange.outcome) \(request.headers) \(request.headers.fields)"
        dump(request.headers.fields, to: &shown)
        #expect(!shown.contains(Self.canary) && !shown.contains("former"))
        #expect(shown.contains("x-device: <redacted>") && shown.contains("two"))
        #expect(request.headers["X-Device"] == Self.canary && request.headers.count == 2)
        request.headers.set("X-Device", secret: nil)
        #expect(!request.headers.contains("X-Device"))
    }

    @Test(arguments: ["x-auth-status", "X-Auth-Reason", "captcha_enabled", "passwordEnabled", "password_last_updated_at"])
    func wordsAboutSecretsAreNotMasked(name: String) {
        #expect(!Redaction.isSecret(name))
        let response = HTTPResponse(status: 200, headers: [name: "signed-out"])
        #expect("\(response.headers)".contains("signed-out"))
    }

    @Test func kindsOfErrorsAreNotSecrets() async throws {
        let response = HTTPResponse(
            status: 422, headers: ["Content-Type": "application/json"],
            body: Array(#"{"code":422,"error_code":"weak_password","errors":[{"code":"form_password_incorrect"}]}"#.utf8))
        let shown = "\(try await Answering(response).traced(HTTPRequest(.get, "https://host/")))"
        for word in ["422", "weak_password", "form_password_incorrect"] { #expect(shown.contains(word)) }
    }
}

extension Answering {
    /// The only exchange of a request.
    fileprivate func traced(_ request: HTTPRequest) async throws -> HTTPExchange {
        let trace = HTTPTrace()
        _ = try await TracingTransport(self, clock: SystemClock(), trace: trace).send(request)
        return try #require(trace.exchanges.first)
    }
}
