import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import Testing

/// A company with an OpenID provider on this machine, and an emulator that has a connection with it.
final class Company: Sendable {
    let issuer: EmulatorServer<IssuerServer>
    let emulator: TestEmulator

    /// One key pair for all, because generating one takes longer than most tests.
    private static let keys = try? TokenIssuer.Keys()

    init(
        secret: Secret? = "of the company", publishes: Bool = true, _ change: (inout ClerkSettings) -> Void = { _ in }
    ) throws {
        let keys = try #require(Self.keys)
        let issuer = try IssuerServer.start(publishing: publishes ? keys.published : ["keys": []], signing: keys)
        self.issuer = issuer
        emulator = try TestEmulator {
            $0.enterprise.connections = [
                EnterpriseConnection(
                    name: "acme", domains: ["acme.example"], issuer: issuer.base, clientID: "clerk app", clientSecret: secret)
            ]
            change(&$0)
        }
    }

    deinit { issuer.stop() }

    /// An employee at the provider's page.
    static func ada(_ more: JSONObject = [:]) -> IssuerServer.Visitor {
        var claims: JSONObject = [
            "sub": "employee-1", "email": "ada@acme.example", "email_verified": true, "given_name": "Ada",
            "family_name": "Lovelace",
        ]
        for (name, value) in more { claims[name] = value.isNull ? nil : value }
        return .person(claims)
    }

    /// Opens the provider's page at a verification's address, and returns.
    ///
    /// - Returns: The browser's last address.
    @discardableResult
    func visit(_ verification: JSON?) async throws -> String {
        let url = try #require(verification?["external_verification_redirect_url"]?.string)
        return try await come(from: url).headers["Location"] ?? ""
    }

    /// Returns from the provider's page at an address.
    func come(from url: String) async throws -> TestResponse {
        #expect(url.hasPrefix(issuer.base + "/protocol/openid-connect/auth?"))
        let page = try await emulator.send(HTTPRequest(.get, url))
        let callback = try #require(page.headers["Location"])
        #expect(callback.hasPrefix(emulator.server.base + "/v1/oauth_callback?"))
        return try await emulator.send(HTTPRequest(.get, callback))
    }

    /// A sign-in after the provider's page.
    func signIn(_ device: Device, _ address: String = "ada@acme.example") async throws -> TestResponse {
        let begun = try await device.post(
            "/client/sign_ins",
            ["strategy": "enterprise_sso", "identifier": address, "redirect_url": "com.example.app://callback"])
        try await visit(begun.response["first_factor_verification"])
        return try await device.get("/client/sign_ins/\(begun["id"])")
    }

    /// The same for an unknown user, who becomes one.
    @discardableResult
    func join(_ device: Device, _ address: String = "ada@acme.example") async throws -> TestResponse {
        let unknown = try await signIn(device, address)
        #expect(unknown.response["first_factor_verification"]?["status"] == "transferable")
        return try await device.post("/client/sign_ups", ["transfer": "true"])
    }
}
