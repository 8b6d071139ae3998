public import Lockstep

/// A person at an identity provider's page, to which a redirect has led.
public protocol IdentityPage: Sendable {
    /// The provider that the adapter knows it as.
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
