/// A browser that opens the links of messages.
public protocol Browser: Sendable {
    /// A person taps the link on the device that has the app: pages are loaded and redirects followed until the app is opened.
    ///
    /// - Returns: the URL that the app is opened with, for `AuthClient.handle`; the link itself where links open the app
    ///   directly; `nil` if it ends on a page.
    func follow(_ link: String) async throws -> String?

    /// A person opens the link on a device that has not got the app, and does there what the page asks for.
    func confirm(_ link: String) async throws

    /// A scanner of the email system loads the link, without scripts and without following what it answers.
    func scan(_ link: String, _ method: ScanMethod) async throws
}

/// The method with which a scanner loads a link.
public enum ScanMethod: String, Sendable, CaseIterable { case get, head }
