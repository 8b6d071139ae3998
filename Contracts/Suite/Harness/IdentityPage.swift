public import Lockstep

/// The page of an identity provider, and a person who uses it.
public protocol IdentityPage: Sendable {
    /// The identity provider whose page this is, as the adapter names it.
    var provider: IdentityProvider { get }

    /// Signs in on the page and consents, as a person does.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - subject: The person who signs in.
    /// - Returns: The URL with which the app is opened; `nil` if the page leads elsewhere.
    /// - Throws: An error that ends the check.
    func approve(_ page: String, as subject: IdentitySubject) async throws -> String?

    /// Declines on the page, as a person does.
    ///
    /// - Parameter page: The URL of the page.
    /// - Returns: The URL with which the app is opened; `nil` if the page leads elsewhere.
    /// - Throws: An error that ends the check.
    func refuse(_ page: String) async throws -> String?
}
