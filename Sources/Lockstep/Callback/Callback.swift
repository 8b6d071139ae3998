public import LockstepPrimitives

/// A URL that the app was opened with, parsed.
public struct Callback: Sendable, Hashable {
    /// The URL, as it came.
    public let url: String
    /// In lower case.
    public let scheme: String
    /// In lower case; empty where there is none.
    public let host: String
    /// The port, where one is named.
    public let port: Int?
    /// As it stood in the URL; empty or beginning with `/`.
    public let path: String
    /// The parameters of query and fragment, decoded; each name stands there once.
    public let parameters: [String: String]
    /// The names that came from the fragment.
    public let fragmentNames: Set<String>

    /// The longest URL that is read.
    public static let limit = 16_384

    /// Parses a URL.
    ///
    /// - Throws: `linkInvalid` for anything that two readers could read differently: control characters, broken percent signs,
    ///   a parameter given twice with different values, more than 16 kB.
    public init(_ url: String) throws(AuthError) {
        func malformed(_ why: String) -> AuthError {
            AuthError(.linkInvalid, "The link cannot be read: \(why). Ask for a new one.", remedies: [.startAgain])
        }
        guard url.utf8.count <= Callback.limit else { throw malformed("it is longer than \(Callback.limit) bytes") }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw malformed("it holds spaces or control characters") }
        guard let colon = url.firstIndex(of: ":") else { throw malformed("it has no scheme") }
        let scheme = url[..<colon].lowercased()
        guard let first = scheme.first, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { throw malformed("its scheme is not one") }

        var rest = url[url.index(after: colon)...]
        var fragment: Substring = ""
        var query: Substring = ""
        if let hash = rest.firstIndex(of: "#") {
            fragment = rest[rest.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        var authority: Substring = ""
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        guard !authority.contains("@") else { throw malformed("it names a user before the host") }
        let (host, port) = try Callback.split(authority, malformed)

        guard let inQuery = Percent.decodeForm(query), let inFragment = Percent.decodeForm(fragment) else {
            throw malformed("a percent sign in it is not followed by two digits, or its text is not UTF-8")
        }
        var parameters: [String: String] = [:]
        for (name, value) in inQuery + inFragment where !name.isEmpty {
            guard parameters[name] == nil || parameters[name] == value else { throw malformed("it gives \(name) twice") }
            guard !value.utf8.contains(0) else { throw malformed("a parameter holds a NUL") }
            parameters[name] = value
        }
        self.url = url
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = String(rest)
        self.parameters = parameters
        fragmentNames = Set(inFragment.map(\.name))
    }

    private static func split(_ authority: Substring, _ malformed: (String) -> AuthError) throws(AuthError) -> (
        host: String, port: Int?
    ) {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return (authority.lowercased(), nil) }
        let digits = authority[authority.index(after: colon)...]
        guard !digits.isEmpty else { return (authority[..<colon].lowercased(), nil) }
        guard let port = Int(digits), (1...65_535).contains(port) else { throw malformed("its port is not a number") }
        return (authority[..<colon].lowercased(), port)
    }
}

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

/// Reads the links of one backend: nothing is sent, nothing is changed.
public protocol CallbackReading: Sendable {
    /// The app's callback addresses, as configured in the backend's project; a URL for any other address is not the app's.
    var addresses: [CallbackAddress] { get }

    /// The content of the link.
    func read(_ callback: Callback) -> CallbackContent
}

/// No URL is this backend's: for an adapter whose messages hold codes alone.
public struct NoCallbacks: CallbackReading {
    /// None.
    public var addresses: [CallbackAddress] { [] }

    /// An adapter without links.
    public init() {}

    /// Another app's.
    public func read(_ callback: Callback) -> CallbackContent { .notOurs }
}

/// The content of a link.
public enum CallbackContent: Sendable {
    /// It is not from this backend.
    case notOurs
    /// It is a refusal: by the identity provider, the user there, or the backend (`linkExpired`, `linkUsed`, `providerRefused`).
    case refusal(AuthError)
    /// It carries a proof for flows of these kinds, begun on this device where `state` was remembered.
    case proof(kinds: Set<Flow.Kind>, state: Secret?)
}

/// The result of handling a URL.
public enum CallbackOutcome: Sendable {
    /// The URL is not for this app's sign-in: nothing was done.
    case notOurs
    /// The URL was accepted: this is the next step, or the session.
    case step(SignInStep)
    /// It is ours and was refused: `linkExpired`, `linkUsed`, `linkInvalid`, `flowStartedElsewhere`, `providerRefused`…
    case refused(AuthError)
}
