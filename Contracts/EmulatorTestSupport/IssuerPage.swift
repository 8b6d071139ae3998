public import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A person at the page of an ``IssuerServer``.
public struct IssuerPage: IdentityPage {
    private let server: IssuerServer
    /// The provider that the adapter knows it as.
    public let provider: IdentityProvider
    private let browser: LinkBrowser

    /// The page of a server, opened in this browser.
    public init(server: IssuerServer, provider: IdentityProvider, browser: LinkBrowser) {
        self.server = server
        self.provider = provider
        self.browser = browser
    }

    /// The person consents.
    public func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var claims: JSONObject = ["sub": .string(subject.id)]
        if let email = subject.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(subject.isEmailVerified)
        }
        if let name = subject.name { claims["name"] = .string(name) }
        return try await open(page, .person(claims))
    }

    /// The person says no.
    public func refuse(_ page: String) async throws -> String? { try await open(page, .refuses) }

    private func open(_ page: String, _ visitor: IssuerServer.Visitor) async throws -> String? {
        server.expect(visitor)
        defer { server.reset() }
        return try await browser.follow(page)
    }
}
