public import Lockstep

/// A person on an identity provider's page after a redirect.
public protocol IdentityPage: Sendable {
    /// The provider that it represents for the adapter.
    var provider: IdentityProvider { get }

    /// The person signs in there and consents.
    ///
    /// - Returns: the URL that the app is opened with; `nil` if the page leads elsewhere.
    func approve(_ page: String, as subject: IdentitySubject) async throws -> String?

    /// The person declines.
    ///
    /// - Returns: the URL that the app is opened with; `nil` if the page leads elsewhere.
    func refuse(_ page: String) async throws -> String?
}
