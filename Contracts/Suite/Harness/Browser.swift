/// A browser that opens the links in messages.
public protocol Browser: Sendable {
    /// Opens a link on the device that has the app, as a person does.
    ///
    /// The browser loads pages and follows redirects until the app is opened.
    ///
    /// - Parameter link: The link.
    /// - Returns: The URL with which the app is opened, for `AuthClient.handle`. It is the link itself if the link opens the app
    ///   directly, and `nil` if the link ends on a page.
    /// - Throws: An error that ends the check.
    func follow(_ link: String) async throws -> String?

    /// Opens a link on a device without the app, and does what the page asks for.
    ///
    /// - Parameter link: The link.
    /// - Throws: An error that ends the check.
    func confirm(_ link: String) async throws

    /// Loads a link as a scanner of an email system does: without scripts, and without following redirects.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - method: How the scanner loads the link.
    /// - Throws: An error that ends the check.
    func scan(_ link: String, _ method: ScanMethod) async throws
}

/// How a scanner loads a link.
public enum ScanMethod: String, Sendable, CaseIterable { case get, head }
