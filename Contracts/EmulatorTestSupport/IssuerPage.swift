public import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A person who uses the page of an ``IssuerServer``.
public struct IssuerPage: IdentityPage {
    private let server: IssuerServer
    /// The identity provider of this page, with the name that the adapter uses.
    public let provider: IdentityProvider
    private let browser: LinkBrowser

    /// Opens the page of an identity provider.
    ///
    /// - Parameters:
    ///   - provider: The identity provider, with the name that the adapter uses.
    public init(server: IssuerServer, provider: IdentityProvider, browser: LinkBrowser) {
        self.server = server
        self.provider = provider
        self.browser = browser
    }

    /// Signs in on the page, and consents.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - subject: The person who signs in.
    /// - Returns: The URL that the browser uses to open the app; `nil` if the page does not open the app.
    /// - Throws: An error if the page cannot be loaded.
    public func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        var claims: JSONObject = ["sub": .string(subject.id)]
        if let email = subject.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(subject.isEmailVerified)
        }
        if let name = subject.name { claims["name"] = .string(name) }
        return try await open(page, .person(claims))
    }

    /// Declines on the page.
    ///
    /// - Parameter page: The URL of the page.
    /// - Returns: The URL that the browser uses to open the app; `nil` if the page does not open the app.
    /// - Throws: An error if the page cannot be loaded.
    public func refuse(_ page: String) async throws -> String? { try await open(page, .refuses) }

    private func open(_ page: String, _ visitor: IssuerServer.Visitor) async throws -> String? {
        server.expect(visitor)
        defer { server.reset() }
        return try await browser.follow(page)
    }
}
