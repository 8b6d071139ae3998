/// A browser that opens the links in messages.
public protocol Browser: Sendable {
    /// Opens a link on the device with the app, like a person.
    ///
    /// The browser loads pages and follows redirects until the app opens.
    ///
    /// - Returns: The URL that opens the app, for `AuthClient.handle`. It is the link itself if the link opens the app directly.
    ///   It is `nil` if the link ends on a page.
    /// - Throws: An error that ends the check.
    func follow(_ link: String) async throws -> String?

    /// Opens a link on a device without the app, and completes the steps on the page.
    ///
    /// - Throws: An error that ends the check.
    func confirm(_ link: String) async throws

    /// Loads a link like an email scanner: without scripts, and without following redirects.
    ///
    /// - Parameters:
    ///   - method: The HTTP method with which the scanner loads the link.
    /// - Throws: An error that ends the check.
    func scan(_ link: String, _ method: ScanMethod) async throws
}

/// The HTTP method of a scanner.
public enum ScanMethod: String, Sendable, CaseIterable { case get, head }
