public import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A person on the page of an ``IssuerServer``.
public struct IssuerPage: IdentityPage {
    private let server: IssuerServer
    /// The provider that it represents for the adapter.
    public let provider: IdentityProvider
    private let browser: LinkBrowser

    /// Creates the page of a server, opened in this browser.
    public init(server: IssuerServer, provider: IdentityProvider, browser: LinkBrowser) {
        self.server = server
        self.provider = provider
        self.browser = browser
    }

    /// Approves the request as a person.
    public func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var claims: JSONObject = ["sub": .string(subject.id)]
        if let email = subject.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(subject.isEmailVerified)
        }
        if let name = subject.name { claims["name"] = .string(name) }
        return try await open(page, .person(claims))
    }

    /// Declines the request.
    public func refuse(_ page: String) async throws -> String? { try await open(page, .refuses) }

    private func open(_ page: String, _ visitor: IssuerServer.Visitor) async throws -> String? {
        server.expect(visitor)
        defer { server.reset() }
        return try await browser.follow(page)
    }
}
