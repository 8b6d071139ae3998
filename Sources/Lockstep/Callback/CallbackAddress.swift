/// A URL at which the app receives links.
///
/// A link matches the address if scheme, host, port and path are equal. One slash at the end of the path makes no
/// difference.
///
/// ```swift
/// let address = try CallbackAddress("myapp://auth/callback")
/// ```
public struct CallbackAddress: Sendable, Hashable {
    /// The URL as a string, for example to pass to a provider.
    public let url: String
    private let parts: Callback

    /// Creates a callback address from a URL such as `myapp://auth/callback` or
    /// `https://app.example.com/auth/callback`.
    ///
    /// - Parameter url: The URL, without query and fragment.
    /// - Throws: `invalidConfiguration` if the URL is invalid, has a query or a fragment, or cannot open an app. URLs
    ///   with the scheme `javascript:`, `data:` or `file:`, and `https:` URLs without a host, cannot open an app.
    public init(_ url: String) throws(AuthError) {
        do throws(Callback.Flaw) {
            parts = try Callback(parsing: url, deciding: { _ in true })
            try CallbackAddress.check(parts)
        } catch {
            throw AuthError(
                .invalidConfiguration,
                "Invalid callback address \"\(url)\": \(error.text). Use an address such as myapp://auth/callback or https://app.example.com/auth/callback."
            )
        }
        self.url = url
    }

    private static func check(_ parts: Callback) throws(Callback.Flaw) {
        guard !parts.url.utf8.contains(UInt8(ascii: "?")), !parts.url.utf8.contains(UInt8(ascii: "#")) else {
            throw Callback.Flaw(text: "it has a query or a fragment")
        }
        guard !closed.contains(parts.scheme) else {
            throw Callback.Flaw(text: "apps cannot receive links with the scheme \(parts.scheme):")
        }
        // A host name before a port looks like a scheme: localhost:8080/callback.
        let after = parts.url.utf8.dropFirst(parts.scheme.utf8.count + 1)
        let digits = after.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let next = after.dropFirst(digits.count).first
        guard digits.isEmpty || next != nil && next != UInt8(ascii: "/") else {
            throw Callback.Flaw(text: "it has no scheme")
        }
        if ["https", "http"].contains(parts.scheme) {
            guard !parts.host.isEmpty else { throw Callback.Flaw(text: "it has no host") }
        }
    }

    /// The schemes that browsers and systems reserve: for scripts and inline pages, files, emails and calls.
    private static let closed: Set<String> = [
        "javascript", "data", "vbscript", "livescript", "mocha", "file", "filesystem", "blob", "about", "view-source", "jar",
        "mhtml",
        "mk", "ms-its", "res", "resource", "chrome", "chrome-extension", "chrome-search", "devtools", "moz-extension",
        "safari-web-extension", "safari-extension", "ms-browser-extension", "edge", "opera", "brave", "vivaldi", "intent",
        "content",
        "android-app", "mailto", "tel", "sms", "smsto", "mms", "facetime", "ftp", "ftps", "sftp", "ssh", "telnet", "gopher",
        "ldap",
        "ldaps", "smb", "nfs", "dav", "ws", "wss", "urn", "cid", "mid", "news", "nntp", "magnet", "wyciwyg", "shell", "search-ms",
        "ms-msdt", "x-javascript",
    ]

    /// Returns whether a URL matches this address.
    ///
    /// - Parameter callback: The URL that opened the app.
    /// - Returns: `true` if scheme, host, port and path are equal. One slash at the end of the path makes no
    ///   difference.
    public func matches(_ callback: Callback) -> Bool {
        parts.scheme == callback.scheme && parts.host == callback.host && parts.port == callback.port
            && parts.plainPath == callback.plainPath
    }
}
