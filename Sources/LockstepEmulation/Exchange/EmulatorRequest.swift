internal import LockstepMicrohttpd
@_exported public import LockstepPrimitives

/// A request that an emulator has received.
public struct EmulatorRequest: Sendable {
    /// The method as it was sent, such as `GET`.
    public var method: String
    /// The path after the mount, percent-decoded.
    ///
    /// The patterns of routes are compared with this path.
    public var path: String
    /// The path as it was sent: with the mount, and not decoded.
    public var rawPath: String
    /// The query as it was sent, without the question mark.
    ///
    /// It may be empty.
    public var rawQuery: String
    /// The names and values of the query.
    public var query: Parameters
    /// The header fields.
    public var headers: Headers
    /// The bytes of the body.
    public var body: [UInt8]
    /// The IP address of the client.
    public var remoteAddress: String
    /// The host and port in the target, if the target is a whole URL; `nil` if it is a path.
    let authority: String?
    /// The address of this machine to which the client has connected.
    var localAddress = ""
    /// The decoded values of the placeholders in the route's pattern.
    public internal(set) var placeholders: [(name: String, value: String)] = []

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - target: The path and the query, as they are sent.
    ///   - headers: The header fields. Default: none.
    ///   - body: The bytes of the body. Default: none.
    ///   - remoteAddress: The IP address of the client.
    public init(method: String, target: String, headers: Headers = .init(), body: [UInt8] = [], remoteAddress: String = "") {
        let (authority, rawPath, rawQuery) = Self.split(target)
        self.authority = authority
        self.method = method
        self.rawPath = rawPath
        self.rawQuery = rawQuery
        path = rawPath.utf8.contains(UInt8(ascii: "%")) ? Percent.decode(rawPath) ?? rawPath : rawPath
        query = Parameters(lenient: rawQuery)
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The value of a placeholder in the route's pattern; empty if the pattern has no such placeholder.
    ///
    /// - Returns: The value in the path.
    public subscript(placeholder name: String) -> String {
        placeholders.first { $0.name == name }?.value ?? ""
    }

    /// Parses the body as JSON.
    ///
    /// - Parameter rules: The rules for parsing. Default: the rules of the JSON standard.
    /// - Throws: `JSONError` with the position of the first error. An empty body is an error.
    public func json(rules: JSON.ReadingRules = .standard) throws(JSONError) -> JSON {
        try JSON.parse(body, rules: rules)
    }

    /// Parses the body as a form, whatever its content type is.
    ///
    /// Malformed pairs are left out.
    public func form() -> Parameters {
        Parameters(lenient: String(decoding: body, as: UTF8.self))
    }

    /// The content type in lower case, without its parameters; empty if the header is missing.
    public var mediaType: String {
        let value = headers["content-type"] ?? ""
        return value.cut(at: ";").head.pieces(at: " ").joined().lowercased()
    }

    /// The token in the header `Authorization: Bearer …`; `nil` if the header is missing.
    ///
    /// The word `Bearer` may be in upper or lower case.
    public var bearer: String? {
        guard let value = headers["authorization"] else { return nil }
        let pieces = value.pieces(at: " ", maxSplits: 1)
        guard pieces.count == 2, pieces[0].lowercased() == "bearer", !pieces[1].utf8.contains(UInt8(ascii: " ")) else {
            return nil
        }
        return String(pieces[1])
    }

    /// Returns the value of a cookie.
    ///
    /// - Returns: The value; `nil` if the request has no such cookie.
    public func cookie(_ name: String) -> String? {
        for header in headers.all("cookie") {
            for piece in header.pieces(at: ";") {
                let pair = piece.drop { $0 == " " }.pieces(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if pair.count == 2, pair[0] == name { return String(pair[1]) }
            }
        }
        return nil
    }

    private static func split(_ target: String) -> (authority: String?, path: String, query: String) {
        var rest = target[...]
        var authority: String?
        // A client behind a proxy sends the whole URL (RFC 9112, section 3.2.2).
        if rest.utf8.first != UInt8(ascii: "/"), let scheme = rest.range(ofBytes: "://") {
            rest = rest[scheme.upperBound...]
            let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...].utf8.first == UInt8(ascii: "/") ? rest[end...] : "/" + rest[end...]
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (authority, String(rest), "") }
        return (authority, String(rest[..<mark]), String(rest[rest.utf8.index(after: mark)...]))
    }
}

extension EmulatorRequest {
    init(_ request: ServerRequest) {
        self.init(
            method: request.method, target: request.target, headers: Headers(request.headers), body: request.body,
            remoteAddress: request.remoteAddress)
        localAddress = request.localAddress
    }
}

/// The decoded pairs of a query or a form.
///
/// They keep their order. A name may occur several times.
public struct Parameters: Sendable {
    /// The names and values, in order.
    public var pairs: [(name: String, value: String)]

    /// Creates a list of pairs.
    ///
    /// - Parameter pairs: The names and values, in order.
    public init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
    }

    /// Reads the pairs in a text.
    ///
    /// A pair with a malformed percent sign is left out, as most servers do.
    init(lenient text: some StringProtocol) {
        pairs = text.isEmpty ? [] : text.pieces(at: "&").flatMap { Percent.decodeForm($0) ?? [] }
    }

    /// The first value with this name; `nil` if the name does not occur.
    public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Returns all values with this name, in order.
    public func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Whether there are no pairs.
    public var isEmpty: Bool { pairs.isEmpty }
}

/// The header fields of a request or a response.
///
/// They keep their order. A name may occur several times, and may be in upper or lower case.
public struct Headers: Sendable {
    /// The names and values, in order.
    public private(set) var fields: [(name: String, value: String)]

    /// Creates headers.
    ///
    /// - Parameter fields: The names and values, in order.
    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The first value of a header; `nil` if the header is missing.
    ///
    /// Setting a value removes all headers with this name and adds one. Setting `nil` removes them.
    ///
    /// - Parameter name: The name of the header, in upper or lower case.
    public subscript(name: String) -> String? {
        get { fields.first { Headers.matches($0.name, name) }?.value }
        set {
            guard let index = fields.firstIndex(where: { Headers.matches($0.name, name) }) else {
                if let newValue { fields.append((name, newValue)) }
                return
            }
            if let newValue {
                fields[index].value = newValue
                let rest = fields[(index + 1)...].filter { !Headers.matches($0.name, name) }
                fields.replaceSubrange((index + 1)..., with: rest)
            } else {
                fields.removeAll { Headers.matches($0.name, name) }
            }
        }
    }

    /// Returns all values of a header, in order.
    ///
    /// - Parameter name: The name of the header, in upper or lower case.
    public func all(_ name: String) -> [String] {
        fields.filter { Headers.matches($0.name, name) }.map(\.value)
    }

    /// Appends a header, and keeps other headers with the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Returns whether two header names are equal if the case of ASCII letters is ignored.
    static func matches(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || lower($0) == lower($1) }
    }

    private static func lower(_ unit: UInt8) -> UInt8 {
        unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values, in this order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { ($0.0, $0.1) })
    }
}
