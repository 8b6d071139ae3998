public import Lockstep

/// The page of an identity provider, and a person who uses the page.
public protocol IdentityPage: Sendable {
    /// The identity provider of this page, with the name that the adapter uses.
    var provider: IdentityProvider { get }

    /// Signs in on the page and consents, like a person.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - subject: The person who signs in.
    /// - Returns: The URL that opens the app; `nil` if the page does not open the app.
    /// - Throws: An error that ends the check.
    func approve(_ page: String, as subject: IdentitySubject) async throws -> String?

    /// Declines on the page, like a person.
    ///
    /// - Parameter page: The URL of the page.
    /// - Returns: The URL that opens the app; `nil` if the page does not open the app.
    /// - Throws: An error that ends the check.
    func refuse(_ page: String) async throws -> String?
}
