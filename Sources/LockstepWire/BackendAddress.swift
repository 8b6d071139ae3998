public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// The address of a backend as an app's configuration gives it, checked before anything is sent there.
public struct BackendAddress: Sendable, Hashable {
    /// The address without slashes at its end.
    public let url: String

    /// An address such as `https://ref.supabase.co/auth/v1`.
    ///
    /// - Parameters:
    ///   - url: The address as it was given.
    ///   - name: What the configuration calls it, as in "The API address lacks its scheme".
    /// - Throws: `invalidConfiguration` for an address that is none, for one with a user, query or fragment, for one whose path
    ///   not every proxy reads alike, and for plain http to another machine.
    public init(_ url: String, called name: String) throws(AuthError) {
        let request = HTTPRequest(.get, url)
        do {
            try request.validate()
        } catch {
            throw AuthError(.invalidConfiguration, Self.flaw(of: url, called: name))
        }
        guard !url.contains(where: { "?#@".contains($0) }) else {
            throw AuthError(.invalidConfiguration, "The \(name) must hold no user, query or fragment.")
        }
        let trimmed = String(url.reversed().drop { $0 == "/" }.reversed())
        // A proxy that merges slashes, follows dots or decodes before it routes would send the requests, and the key, elsewhere.
        let path = trimmed.pieces(at: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard path.allSatisfy({ !["", ".", ".."].contains($0) }), !trimmed.contains(where: { "\\%".contains($0) }) else {
            throw AuthError(
                .invalidConfiguration,
                "The \(name) must hold no empty part (`//`), no part of dots, no backslash and nothing percent-encoded.")
        }
        guard url.lowercased().hasPrefix("https://") || request.isLoopback else {
            throw AuthError(
                .invalidConfiguration,
                "The \(name) is plain http to another machine, where an attacker on the network can read it. Use https.")
        }
        self.url = trimmed
    }

    /// What is wrong with an address that is none, and the address that was probably meant.
    private static func flaw(of url: String, called name: String) -> String {
        guard !url.isEmpty else { return "The \(name) is empty. Give one such as \"https://api.example.com\"." }
        guard !url.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            return "The \(name) holds spaces, control characters or letters outside ASCII. Copy it again."
        }
        guard url.firstRange(of: "://") == nil else {
            return "The \(name) names no host, or is no address of the web. Give one such as \"https://api.example.com\"."
        }
        let isUserNamed = url.utf8.contains(UInt8(ascii: "@")) || url.utf8.contains(UInt8(ascii: "?"))
        let host = isUserNamed ? "api.example.com" : String(url.drop { $0 == "/" })
        let scheme = HTTPRequest(.get, "http://" + host).isLoopback ? "http" : "https"
        return "The \(name) lacks its scheme. Give \"\(scheme)://\(host)\"."
    }
}

/// The path of a request below a backend's address; an interpolated id is one segment, and stays one.
///
/// ```swift
/// try await api.call(.post, "/client/sessions/\(session.id)/revoke")
/// ```
///
/// Ids come from the backend, and a backend may be hostile. One such as `../admin`, `a/b` or `?x=` would lead the request, and
/// the tokens in its header, to another place than the one that is written here. So a segment has 1 to 256 bytes of `A-Z a-z 0-9
/// - . _ ~` and does not consist of dots; every id of the providers here does. Others are refused, not encoded: too many proxies
/// decode `%2F` before they route a path.
public struct BackendPath: Sendable, ExpressibleByStringInterpolation {
    private var path: String
    private var refusal: AuthError?

    /// A path that is written in the code.
    public init(stringLiteral value: StaticString) {
        path = value.description
    }

    /// A path with ids in it.
    public init(stringInterpolation: StringInterpolation) {
        path = stringInterpolation.path
        refusal = stringInterpolation.refusal
    }

    /// Two paths, one after the other.
    public static func + (first: BackendPath, second: BackendPath) -> BackendPath {
        var both = first
        both.path += second.path
        both.refusal = first.refusal ?? second.refusal
        return both
    }

    /// The path as it goes out.
    ///
    /// - Throws: `invalidResponse` where an id of the backend is no segment, `invalidInput` where one of the app is none.
    public func text() throws(AuthError) -> String {
        if let refusal { throw refusal }
        return path
    }

    /// Whether a text can stand between two slashes, and is not taken for anything else there.
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

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var path = ""
        fileprivate var refusal: AuthError?

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// A literal part of the path.
        public mutating func appendLiteral(_ literal: StaticString) { path += literal.description }

        /// An id from the backend.
        public mutating func appendInterpolation(_ id: String) {
            append(
                id,
                AuthError(
                    .invalidResponse, "The backend has given an id that cannot stand in an address. Nothing was sent.",
                    remedies: [.startAgain]))
        }

        /// An id from the app.
        public mutating func appendInterpolation(given id: String) {
            append(
                id, AuthError(.invalidInput, "The id is none of this backend's: it cannot stand in an address. Nothing was sent.")
            )
        }

        private mutating func append(_ id: String, _ error: AuthError) {
            if !BackendPath.isSegment(id), refusal == nil { refusal = error }
            path += id
        }
    }
}
