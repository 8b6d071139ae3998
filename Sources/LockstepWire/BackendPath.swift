public import Lockstep

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
