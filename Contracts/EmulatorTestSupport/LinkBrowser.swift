@_exported public import Lockstep
public import LockstepContracts
internal import LockstepCurl
public import LockstepHTTP
internal import LockstepPrimitives

/// A browser that opens links over real HTTP.
///
/// ```swift
/// let browser = LinkBrowser(callbacks: [callback])
/// if let url = try await browser.follow(link) { _ = await client.handle(url) }
/// ```
public struct LinkBrowser: Browser {
    /// A function that completes the steps on the page of a link, as a person does on a device without the app.
    public typealias Confirmation =
        @Sendable (_ link: String, _ page: HTTPResponse, _ transport: any HTTPTransport) async throws -> Void

    private let callbacks: [CallbackAddress]
    private let confirmation: Confirmation?
    private let transport: any HTTPTransport = CurlTransport()

    /// Creates a browser on a device that has the app.
    ///
    /// - Parameters:
    ///   - callbacks: The callback addresses of the app.
    ///   - confirmation: A function that completes the steps on the page of a link, on a device without the app; `nil` if it is
    ///     enough to open the link.
    public init(callbacks: [CallbackAddress], confirmation: Confirmation? = nil) {
        self.callbacks = callbacks
        self.confirmation = confirmation
    }

    /// Follows a link until it opens the app.
    ///
    /// - Returns: The URL that the browser uses to open the app; `nil` if the link ends on a page.
    /// - Throws: An error if a page cannot be loaded.
    public func follow(_ link: String) async throws -> String? {
        var url = link
        for _ in 0..<10 {
            if opensApp(url) { return url }
            let response = try await transport.send(HTTPRequest(.get, url, headers: ["Sec-Fetch-Mode": "navigate"]))
            guard (300..<400).contains(response.status), let next = response.headers["Location"] else {
                return onward(from: response)
            }
            url = next
        }
        throw HarnessFailure("The link redirects without an end.")
    }

    /// Opens a link on a device without the app, and completes the steps on the page.
    ///
    /// - Throws: An error if a page cannot be loaded.
    public func confirm(_ link: String) async throws {
        let response = try await transport.send(HTTPRequest(.get, link, headers: ["Sec-Fetch-Mode": "navigate"]))
        try await confirmation?(link, response, transport)
    }

    /// Loads a link once, as an email scanner does.
    ///
    /// A link that opens the app directly is not loaded.
    ///
    /// - Parameters:
    ///   - method: The HTTP method with which the scanner loads the link.
    /// - Throws: An error if the page cannot be loaded.
    public func scan(_ link: String, _ method: ScanMethod) async throws {
        guard !opensApp(link) else { return }
        _ = try await transport.send(HTTPRequest(method == .get ? .get : .head, link))
    }

    private func opensApp(_ url: String) -> Bool {
        guard let callback = try? Callback(url) else { return false }
        return callbacks.contains { $0.matches(callback) }
    }

    /// Returns the link on a page that opens the app; `nil` if the page has no such link.
    private func onward(from page: HTTPResponse) -> String? {
        guard let text = page.text else { return nil }
        for part in text.split(separator: "href=\"").dropFirst() {
            let target = part.prefix { $0 != "\"" }.replacing("&amp;", with: "&")
            if opensApp(String(target)) { return String(target) }
        }
        return nil
    }
}
