/// An address at which the app receives links: scheme, host, port and path, all of which must be the same.
public struct CallbackAddress: Sendable, Hashable {
    /// The address as text, to be given to a provider.
    public let url: String
    private let parts: Callback

    /// An address such as `myapp://auth/callback` or `https://app.example.com/auth/callback`.
    ///
    /// - Throws: `invalidConfiguration` where it cannot be read, or has a query or a fragment.
    public init(_ url: String) throws(AuthError) {
        do {
            parts = try Callback(url)
        } catch {
            throw AuthError(.invalidConfiguration, "The callback address \(url) cannot be read. \(error.message)")
        }
        guard !url.contains("?"), !url.contains("#") else {
            throw AuthError(.invalidConfiguration, "The callback address \(url) must have no query and no fragment.")
        }
        self.url = url
    }

    /// Whether a URL is addressed to it.
    public func matches(_ callback: Callback) -> Bool {
        parts.scheme == callback.scheme && parts.host == callback.host && parts.port == callback.port
            && (parts.path == callback.path || parts.path.isEmpty && callback.path == "/"
                || parts.path == "/" && callback.path.isEmpty)
    }
}
