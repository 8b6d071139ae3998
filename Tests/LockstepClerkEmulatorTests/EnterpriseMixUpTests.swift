import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Two companies, one of them hostile, and flows that another person completes.
@Suite(.limitedConcurrency)
struct EnterpriseMixUpTests {
    private struct Meeting {
        let company: Company
        let other: EmulatorServer<IssuerServer>
    }

    /// A company, and a second connection whose provider is hostile.
    private func meeting() async throws -> Meeting {
        let company = try Company()
        let keys = try TokenIssuer.Keys()
        let other = try IssuerServer.start(publishing: keys.published, signing: keys)
        let made = try await company.emulator.backend(
            .post, "/enterprise_connections",
            [
                "name": "Evil", "domains": ["evil.example"], "provider": "oidc_custom", "active": true,
                "oidc": [
                    "client_id": "clerk app", "client_secret": "known to both",
                    "discovery_url": .string(other.base + "/.well-known/openid-configuration"),
                ],
            ])
        try #require(made.status == 201, "\(made.json.text())")
        company.issuer.emulator.expect(Company.ada())
        return Meeting(company: company, other: other)
    }

    private func begin(_ device: Device, _ address: String) async throws -> (id: String, url: String) {
        let form = HTTPForm([
            ("strategy", "enterprise_sso"), ("identifier", address), ("redirect_url", "com.example.app://callback"),
        ])
        let begun = try await device.post("/client/sign_ins", form)
        return (
            begun["id"],
            begun.response["first_factor_verification"]?["external_verification_redirect_url"]?.string ?? ""
        )
    }

    private func field(_ name: String, of url: String) -> String {
        (Percent.decodeForm(url.split(separator: "?").last ?? "") ?? []).first { $0.name == name }?.value ?? ""
    }

    /// A person starts at the hostile provider, which redirects the browser to the honest one with its own `state` (RFC 9207,
    /// section 1).
    @Test(arguments: [true, false])
    func codeOfOneProviderIsRejectedByAnother(_ namesIssuer: Bool) async throws {
        let meeting = try await meeting()
        defer { meeting.other.stop() }
        let company = meeting.company
        let emulator = company.emulator
        try await company.join(emulator.device())
        let device = emulator.device()
        let own = try await begin(device, "ada@evil.example")
        let state = field("state", of: own.url)
        let honest = try await begin(emulator.device(), "ada@acme.example")
        let mixed = honest.url.replacing(field("state", of: honest.url), with: state)
        let page = try await emulator.send(HTTPRequest(.get, mixed))
        let callback = try #require(page.headers["Location"])
        #expect(field("state", of: callback) == state)
        let issuer = namesIssuer ? "&iss=" + Percent.encode(company.issuer.base) : ""
        let exchanged = company.issuer.emulator.exchanges.count
        _ = try await emulator.send(HTTPRequest(.get, callback + issuer))
        let seen = try await device.get("/client/sign_ins/\(own.id)")
        #expect(seen.response["first_factor_verification"]?["error"]?["code"] == "oauth_token_exchange_error")
        #expect(try await device.get("/client").response["sessions"] == [])
        #expect(company.issuer.emulator.exchanges.count == exchanged, "the honest provider was not asked")
        // A provider that sends its issuer keeps its codes from the hostile one.
        #expect(meeting.other.emulator.exchanges.count == (namesIssuer ? 0 : 1))
    }

    @Test func rightIssuerIsAccepted() async throws {
        let meeting = try await meeting()
        defer { meeting.other.stop() }
        let company = meeting.company
        let device = company.emulator.device()
        try await company.join(company.emulator.device())
        let begun = try await begin(device, "ada@acme.example")
        let page = try await company.emulator.send(HTTPRequest(.get, begun.url))
        let callback = try #require(page.headers["Location"]) + "&iss=" + Percent.encode(company.issuer.base)
        _ = try await company.emulator.send(HTTPRequest(.get, callback))
        #expect(try await device.get("/client/sign_ins/\(begun.id)")["status"] == "complete")
    }

    /// A provider of one domain cannot vouch for users of another one.
    @Test func providerVerifiesOnlyItsOwnDomains() async throws {
        let meeting = try await meeting()
        defer { meeting.other.stop() }
        let company = meeting.company
        try await company.join(company.emulator.device())
        meeting.other.emulator.expect(Company.ada())
        let device = company.emulator.device()
        let begun = try await begin(device, "ada@evil.example")
        let page = try await company.emulator.send(HTTPRequest(.get, begun.url))
        _ = try await company.emulator.send(HTTPRequest(.get, try #require(page.headers["Location"])))
        #expect(try await device.get("/client").response["sessions"] == [])
        #expect(try await device.get("/client/sign_ins/\(begun.id)")["status"] != "complete")
    }

    /// The instance generates the `state`.
    ///
    /// It does not accept one from the caller, and each flow has another one.
    @Test func callerCannotChooseTheState() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let device = company.emulator.device()
        let form: HTTPForm = [
            "strategy": "enterprise_sso", "identifier": "ada@acme.example", "redirect_url": "com.example.app://callback",
        ]
        #expect(try await device.post("/client/sign_ins", HTTPForm(form.pairs + [("state", "chosen")])).status == 422)
        var states: Set<String> = []
        for _ in 0..<3 { states.insert(field("state", of: try await begin(device, "ada@acme.example").url)) }
        #expect(states.count == 3 && states.allSatisfy { $0.utf8.count >= 22 })
        // The last flow of the device is valid. The callback of an earlier one does not change it.
        let earlier = try await begin(device, "ada@acme.example")
        let later = try await begin(device, "ada@acme.example")
        let page = try await company.emulator.send(HTTPRequest(.get, earlier.url))
        _ = try await company.emulator.send(HTTPRequest(.get, try #require(page.headers["Location"])))
        #expect(
            try await device.get("/client/sign_ins/\(later.id)").response["first_factor_verification"]?["status"] == "unverified")
    }

    /// By design: the provider's page asks whoever opens it, and signs in the device that started the flow.
    ///
    /// A native app's browser shares nothing with the app that could distinguish the two.
    @Test func providersAnswerSignsInTheDeviceThatBegan() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        try await company.join(company.emulator.device())
        let beginner = company.emulator.device()
        let begun = try await begin(beginner, "ada@acme.example")
        let other = company.emulator.device()
        try await other.signUp("eve@example.com")
        let page = try await company.emulator.send(HTTPRequest(.get, begun.url))
        _ = try await company.emulator.send(HTTPRequest(.get, try #require(page.headers["Location"])))
        #expect(try await beginner.get("/client/sign_ins/\(begun.id)")["status"] == "complete")
        #expect(
            try await other.get("/client").response["sessions"]?.array?.count == 1, "the other device has its own session only")
    }
}
