@_exported public import Lockstep
public import LockstepContracts
internal import LockstepCurl
public import LockstepHTTP
internal import LockstepPrimitives

/// A browser that opens links over real HTTP.
public struct LinkBrowser: Browser {
    /// The action of a person on the page of a link, on a device without the app.
    public typealias Confirmation =
        @Sendable (_ link: String, _ page: HTTPResponse, _ transport: any HTTPTransport) async throws -> Void

    private let callbacks: [CallbackAddress]
    private let confirmation: Confirmation?
    private let transport: any HTTPTransport = CurlTransport()

    /// Creates a browser on a device with an app that has these callback addresses.
    ///
    /// - Parameters:
    ///   - callbacks: The callback addresses.
    ///   - confirmation: `nil` if opening the link is enough.
    public init(callbacks: [CallbackAddress], confirmation: Confirmation? = nil) {
        self.callbacks = callbacks
        self.confirmation = confirmation
    }

    /// Follows a link to the app.
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
        throw HarnessFailure("The link goes on for ever.")
    }

    /// Opens a link on a device without the app.
    public func confirm(_ link: String) async throws {
        let response = try await transport.send(HTTPRequest(.get, link, headers: ["Sec-Fetch-Mode": "navigate"]))
        try await confirmation?(link, response, transport)
    }

    /// Loads a link and leaves it at that.
    ///
    /// A link that opens the app itself is none that a scanner can load.
    public func scan(_ link: String, _ method: ScanMethod) async throws {
        guard !opensApp(link) else { return }
        _ = try await transport.send(HTTPRequest(method == .get ? .get : .head, link))
    }

    private func opensApp(_ url: String) -> Bool {
        guard let callback = try? Callback(url) else { return false }
        return callbacks.contains { $0.matches(callback) }
    }

    /// A page that leads on to the app by a link that the person taps.
    private func onward(from page: HTTPResponse) -> String? {
        guard let text = page.text else { return nil }
        for part in text.split(separator: "href=\"").dropFirst() {
            let target = part.prefix { $0 != "\"" }.replacing("&amp;", with: "&")
            if opensApp(String(target)) { return String(target) }
        }
        return nil
    }
}
