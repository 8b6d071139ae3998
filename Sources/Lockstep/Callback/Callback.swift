internal import LockstepPrimitives

/// The parsed form of a URL that opened the app.
///
/// ```swift
/// let callback = try Callback("myapp://auth/callback?code=123456")
/// print(callback.host, callback.path, callback.parameters["code"] ?? "")
/// ```
public struct Callback: Sendable, Hashable {
    /// The original URL.
    public let url: String
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case; empty if the URL has no host.
    public let host: String
    /// The port; `nil` if the URL has no port.
    public let port: Int?
    /// The unchanged path, which is empty or begins with `/`.
    public let path: String
    /// The decoded parameters of the query and the fragment, by name.
    public let parameters: [String: String]
    /// The names of the parameters in the fragment.
    public let fragmentNames: Set<String>

    /// The maximum length of a URL in bytes.
    public static let limit = 16_384

    /// Parses a URL.
    ///
    /// Some parameters, such as a code, decide what a link does. Each of these parameters must be valid and have
    /// exactly one value. All other parameters may be invalid or repeated; the first readable value is used. Browsers,
    /// mail programs and analytics add such parameters. Some servers repeat a readable message in several parameters.
    ///
    /// - Parameters:
    ///   - url: The URL that opened the app.
    ///   - decides: A function that returns whether a parameter decides what the link does; see
    ///     ``CallbackReading/decides(_:)``.
    /// - Throws: `linkInvalid` if two programs could read the URL differently. The reason is a control character, a
    ///   length of more than 16 kB, or a deciding parameter that is invalid or has two values.
    public init(_ url: String, deciding decides: (String) -> Bool = Callback.mayDecide) throws(AuthError) {
        do throws(Flaw) {
            self = try Callback(parsing: url, deciding: decides)
        } catch {
            throw AuthError(
                .linkInvalid,
                "The link cannot be read: \(error.text). Pass the URL that opened the app, unchanged, or request a new link.",
                remedies: [.startAgain])
        }
    }

    /// The problem with a URL, worded as part of a longer sentence.
    struct Flaw: Error { var text: String }

    /// Parses a URL byte by byte, so that a combining mark cannot hide the delimiter before it.
    init(parsing url: String, deciding decides: (String) -> Bool) throws(Flaw) {
        let bytes = url.utf8
        guard bytes.count <= Callback.limit else { throw Flaw(text: "it is longer than \(Callback.limit) bytes") }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw Flaw(text: "it has spaces or control characters") }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw Flaw(text: "it has no scheme") }
        let scheme = url[..<colon].lowercased()
        guard Callback.isScheme(scheme) else { throw Flaw(text: Callback.flaw(ofScheme: scheme)) }

        var rest = bytes[bytes.index(after: colon)...]
        let fragment = Callback.cut(&rest, at: "#")
        let query = Callback.cut(&rest, at: "?")
        var authority: Substring.UTF8View = rest[rest.endIndex...]
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        guard !authority.contains(UInt8(ascii: "@")) else { throw Flaw(text: "it contains a user name before the host") }
        let (host, port) = try Callback.split(authority)

        let inQuery = try Callback.pairs(query)
        let inFragment = try Callback.pairs(fragment)
        var parameters: [String: String] = [:]
        for (name, value) in inQuery + inFragment {
            if decides(name) {
                guard let value else {
                    throw Flaw(text: "\(name) has a percent sign without two digits, or text that is not UTF-8")
                }
                guard parameters[name] == nil || parameters[name] == value else { throw Flaw(text: "it contains \(name) twice") }
                guard !value.utf8.contains(0) else { throw Flaw(text: "\(name) contains a NUL byte") }
                parameters[name] = value
            } else if let value, parameters[name] == nil, !value.utf8.contains(0) {
                parameters[name] = value
            }
        }
        self.url = url
        self.scheme = scheme
        self.host = host
        self.port = port
        path = String(Substring(rest))
        self.parameters = parameters
        fragmentNames = Set(inFragment.map(\.name))
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.allSatisfy { unit in
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    /// Returns the problem with the text before the first colon.
    ///
    /// The message does not repeat the text if a scheme cannot contain its characters: the text may be part of a code.
    private static func flaw(ofScheme text: String) -> String {
        guard let first = text.utf8.first, text.utf8.count <= 64, isScheme("a" + text.replacing("_", with: "")) else {
            return "it has no scheme"
        }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        return "its scheme \"\(text)\" "
            + (isLetter ? "contains a character other than letters, digits, +, - and ." : "does not start with a letter")
    }

    /// Cuts `text` at the first `sign`, and returns the part after it.
    private static func cut(_ text: inout Substring.UTF8View, at sign: Unicode.Scalar) -> Substring.UTF8View {
        guard let place = text.firstIndex(of: UInt8(ascii: sign)) else { return text[text.endIndex...] }
        defer { text = text[..<place] }
        return text[text.index(after: place)...]
    }

    /// Returns the parameters of a query or a fragment; a value that cannot be decoded is `nil`.
    private static func pairs(_ text: Substring.UTF8View) throws(Flaw) -> [(name: String, value: String?)] {
        var pairs: [(name: String, value: String?)] = []
        for part in text.split(separator: UInt8(ascii: "&")) {
            let pieces = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Percent.decode(Substring(pieces[0]), plusIsSpace: true) else {
                throw Flaw(text: "the name of a parameter has a percent sign without two digits, or is not UTF-8")
            }
            guard !name.isEmpty else { continue }
            pairs.append((name, pieces.count == 2 ? Percent.decode(Substring(pieces[1]), plusIsSpace: true) : ""))
        }
        return pairs
    }

    private static func split(_ authority: Substring.UTF8View) throws(Flaw) -> (host: String, port: Int?) {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") else {
            return (Substring(authority).lowercased(), nil)
        }
        let host = Substring(authority[..<colon]).lowercased()
        let digits = authority[authority.index(after: colon)...]
        guard !digits.isEmpty else { return (host, nil) }
        guard let port = Int(Substring(digits)), (1...65_535).contains(port) else {
            throw Flaw(text: "its port is not a number from 1 to 65535")
        }
        return (host, port)
    }
}

extension Callback {
    /// Returns whether a parameter may decide what a link does.
    ///
    /// Readable messages never decide this. Parameters that browsers, mail programs or analytics add never decide it
    /// either.
    ///
    /// - Parameter name: The name of the parameter.
    /// - Returns: `false` for the known names of such parameters; `true` for every other name.
    public static func mayDecide(_ name: String) -> Bool {
        let name = name.lowercased()
        return !added.contains(name)
            && !["utm_", "mtm_", "pk_", "mc_", "hsa_", "_hs", "_ga", "_gl"].contains { name.hasPrefix($0) }
    }

    private static let added: Set<String> = [
        "error_description", "error_uri", "error_reason", "sb", "_", "fbclid", "gclid", "gclsrc", "gbraid", "wbraid", "dclid",
        "msclkid", "twclid", "ttclid", "igshid", "igsh", "yclid", "li_fat_id", "mkt_tok", "srsltid", "epik", "sccid", "rdt_cid",
    ]

    /// The names of parameters in which backends send an error, or a value that signs a user in.
    ///
    /// The client never ignores a parameter with one of these names.
    public static let namesOfProofs: Set<String> = [
        "code", "state", "token", "token_hash", "access_token", "refresh_token", "id_token", "ticket", "error", "error_code",
    ]

    /// Returns a text that identifies the link: its address, and the parameters that decide what it does.
    func identity(deciding decides: (String) -> Bool) -> String {
        let names = parameters.keys.filter(decides).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let parts = names.map { name in
            (fragmentNames.contains(name) ? "#" : "?") + Percent.encode(name) + "=" + Percent.encode(parameters[name] ?? "")
        }
        return ([scheme, host, port.map(String.init) ?? "", plainPath] + parts).joined(separator: "\n")
    }

    /// The path without a trailing slash, because servers and browsers add and remove it.
    var plainPath: String { path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path }
}
