public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// The URL of a backend in an app's configuration, checked before the first request.
public struct BackendAddress: Sendable, Hashable {
    /// The URL without trailing slashes.
    public let url: String

    /// Checks a URL such as `https://ref.supabase.co/auth/v1`.
    ///
    /// - Parameters:
    ///   - url: The URL from the configuration.
    ///   - name: The name of this setting for the error, as in "Invalid value "x" for the API address".
    /// - Throws: `invalidConfiguration` if the URL is invalid, has a path that proxies change, or uses plain http for
    ///   another machine. The URL must not contain a user, a query or a fragment.
    public init(_ url: String, called name: String) throws(AuthError) {
        func refused(_ flaw: String) -> AuthError {
            AuthError(.invalidConfiguration, "Invalid value\(Self.quoted(url)) for the \(name): \(flaw)")
        }
        let request = HTTPRequest(.get, url)
        do {
            try request.validate()
        } catch {
            throw refused(Self.flaw(of: url))
        }
        guard !url.utf8.contains(where: { "?#@".utf8.contains($0) }) else {
            throw refused("it has a user name, a query or a fragment. Write the address without them.")
        }
        let trimmed = String(url.reversed().drop { $0 == "/" }.reversed())
        // Some proxies merge slashes, resolve dots or decode before they route. They would send the requests, with the key,
        // elsewhere.
        let path = trimmed.pieces(at: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard path.allSatisfy({ !["", ".", ".."].contains($0) }), !trimmed.utf8.contains(where: { "\\%".utf8.contains($0) })
        else {
            throw refused("its path has an empty part (//), a part of dots, a backslash or a percent sign. Write a plain path.")
        }
        guard url.lowercased().hasPrefix("https://") || request.isLoopback else {
            throw refused("it is plain http to another machine, where an attacker on the network can read it. Use https.")
        }
        self.url = trimmed
    }

    private init(checked url: String) { self.url = url }

    /// Removes a path from the end of the URL, such as a version that is added to each request.
    ///
    /// - Parameter ends: The paths to look for, each beginning with a slash. The method removes the first matching path.
    /// - Returns: The shorter URL, or the unchanged URL if it does not end with any of the paths.
    public func dropping(_ ends: String...) -> BackendAddress {
        guard let end = ends.first(where: { url.hasSuffix($0) }) else { return self }
        return BackendAddress(checked: String(url.dropLast(end.count)))
    }

    /// Adds a path to the URL, if the URL has no path and its host belongs to the given domain.
    ///
    /// - Parameters:
    ///   - path: The only valid path on the hosts of the domain, beginning with a slash.
    ///   - domain: The domain, such as `supabase.co`.
    ///   - name: The name of this setting for the error.
    /// - Returns: The URL with the path. A URL in another domain is returned unchanged.
    /// - Throws: `invalidConfiguration` if the host belongs to the domain, and the URL has another path.
    public func adding(_ path: String, onHostsOf domain: String, called name: String) throws(AuthError) -> BackendAddress {
        let host = HTTPRequest(.get, url).host?.lowercased() ?? ""
        guard host.hasSuffix("." + domain), !url.hasSuffix(path) else { return self }
        let place = url.pieces(at: "/").prefix(2).joined(separator: "//")
        guard place == url else {
            throw AuthError(
                .invalidConfiguration,
                "Invalid value\(Self.quoted(url)) for the \(name): \(host) has another path. Write \"\(place + path)\".")
        }
        return BackendAddress(checked: url + path)
    }

    /// Checks the URL of a relay, which is one server that receives the requests for several other servers.
    ///
    /// The emulators of Firebase are a relay. The path of each request begins with the name of the server that must
    /// handle it. If the relay's own URL ends with such a name or with a version, the method removes this ending.
    ///
    /// - Parameters:
    ///   - url: The URL from the configuration.
    ///   - servers: The names of the servers behind the relay.
    ///   - name: The name of this setting for the error.
    /// - Returns: The address of the relay; `nil` if `url` is `nil`, or if it is the URL of one of the servers.
    /// - Throws: The errors of ``init(_:called:)``.
    public static func relay(_ url: String?, for servers: [String], called name: String) throws(AuthError) -> BackendAddress? {
        guard let url else { return nil }
        let address = try BackendAddress(url, called: name).dropping("/v1", "/v2")
        guard !servers.contains(where: { address.url.lowercased() == "https://" + $0 }) else { return nil }
        return servers.reduce(address) { $0.dropping("/" + $1) }
    }

    /// Checks the name that an app gives to a backend to identify it without the URL.
    ///
    /// - Parameter name: The name; `nil` if the app gives no name.
    /// - Returns: The name, unchanged.
    /// - Throws: `invalidConfiguration` if the name is empty, is longer than 256 bytes, or contains a control character.
    public static func checkedName(_ name: String?) throws(AuthError) -> String? {
        guard let name else { return nil }
        guard (1...256).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw AuthError(
                .invalidConfiguration,
                "Invalid value \(String(name.prefix(64)).debugDescription) for the name of the backend: "
                    + "expected 1 to 256 bytes without control characters, such as \"orders-prod\".")
        }
        return name
    }

    /// Returns a URL in quotes; empty if the URL may contain a password or a token.
    private static func quoted(_ url: String) -> String {
        url.utf8.count > 256 || url.utf8.contains { "?#@".utf8.contains($0) } ? "" : " " + url.debugDescription
    }

    /// Returns what is wrong with a URL that cannot be used for requests, and what to write instead.
    private static func flaw(of url: String) -> String {
        guard !url.isEmpty else { return "it is empty. Write an address such as \"\(example)\"." }
        guard !url.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            return "it has spaces, control characters or letters outside ASCII. Copy it again."
        }
        let scheme = url.range(ofBytes: "://").map { url[..<$0.lowerBound].lowercased() }
        if let scheme, scheme != "https", scheme != "http" {
            return "it has the scheme \"\(scheme)\". Write an address such as \"\(example)\"."
        }
        guard scheme == nil else { return "it has no host. Write an address such as \"\(example)\"." }
        return "it has no scheme. Write \"\(meant(by: url))\"."
    }

    private static let example = "https://api.example.com"

    /// Returns the URL that was probably meant, for a URL without a complete scheme.
    private static func meant(by url: String) -> String {
        var rest = url[...]
        for part in ["https", "http"] where rest.lowercased().hasPrefix(part + ":") || rest.lowercased().hasPrefix(part + "/") {
            rest = rest.dropFirst(part.utf8.count)
        }
        let host = String(rest.drop { $0 == "/" || $0 == ":" })
        let isOnThisMachine = HTTPRequest(.get, "http://" + host).isLoopback
        let address = (isOnThisMachine ? "http://" : "https://") + host
        let isPlain = (try? HTTPRequest(.get, address).validate()) != nil && !address.utf8.contains { "?#@".utf8.contains($0) }
        return isPlain ? address : example
    }
}

/// The path of a request, relative to the URL of a backend.
///
/// Each id in the path is exactly one segment.
///
/// ```swift
/// try await api.call(.post, "/client/sessions/\(session.id)/revoke")
/// ```
///
/// Ids come from the backend, which may be hostile. With an id such as `../admin`, `a/b` or `?x=`, the request and its
/// tokens would go to another path. So a segment consists of 1 to 256 bytes of `A-Z a-z 0-9 - . _ ~`, with at least one
/// byte that is not a dot. Every id of the supported providers has this format. Other ids are rejected. Encoding them
/// would not be safe, because many proxies decode `%2F` before they choose a route.
public struct BackendPath: Sendable, ExpressibleByStringInterpolation {
    private var path: String
    private var refusal: AuthError?

    /// Creates a path from a literal.
    public init(stringLiteral value: StaticString) {
        path = value.description
    }

    /// Creates a path into which ids were inserted.
    ///
    /// - Parameter stringInterpolation: The parts of the path.
    public init(stringInterpolation: StringInterpolation) {
        path = stringInterpolation.path
        refusal = stringInterpolation.refusal
    }

    /// Joins two paths.
    ///
    /// - Parameters:
    ///   - first: The beginning of the path.
    ///   - second: The end of the path.
    /// - Returns: The whole path.
    public static func + (first: BackendPath, second: BackendPath) -> BackendPath {
        var both = first
        both.path += second.path
        both.refusal = first.refusal ?? second.refusal
        return both
    }

    /// Returns the text of the path as it is sent.
    ///
    /// - Throws: `invalidResponse` if an id from the backend is not a valid segment; `invalidInput` if an id from the app is
    ///   not valid.
    public func text() throws(AuthError) -> String {
        if let refusal { throw refusal }
        return path
    }

    /// Returns whether a text can be one segment of a path.
    ///
    /// - Returns: Whether the text is a valid segment.
    public static func isSegment(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.contains { $0 != UInt8(ascii: ".") }
            && text.utf8.allSatisfy { unit in
                switch unit {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }

    /// Collects the literal parts and the ids of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = ""
        fileprivate var refusal: AuthError?

        /// Creates an empty path.
        ///
        /// - Parameters:
        ///   - literalCapacity: The length of all literal parts; it is ignored.
        ///   - interpolationCount: The number of ids; it is ignored.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal part of the path.
        public mutating func appendLiteral(_ literal: StaticString) { path += literal.description }

        /// Appends an id from the backend.
        public mutating func appendInterpolation(_ id: String) {
            append(
                id,
                AuthError(
                    .invalidResponse, "The backend returned an id that cannot be part of a URL. No request was sent.",
                    remedies: [.startAgain]))
        }

        /// Appends an id from the app.
        public mutating func appendInterpolation(given id: String) {
            append(
                id,
                AuthError(
                    .invalidInput, "The id is not an id of this backend, because it cannot be part of a URL. No request was sent."
                )
            )
        }

        private mutating func append(_ id: String, _ error: AuthError) {
            if !BackendPath.isSegment(id), refusal == nil { refusal = error }
            path += id
        }
    }
}
