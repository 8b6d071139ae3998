public import LockstepPrimitives

/// A list of names and values, for a form or for the query of a URL.
///
/// The pairs keep their order. A name may occur several times.
///
/// ```swift
/// var form: HTTPForm = ["grant_type": "refresh_token"]
/// form.append("refresh_token", token)           // revealed only in the request that is sent
/// let request = HTTPRequest(.post, "https://api.example.com/token", body: .form(form))
/// print(request)
/// ```
public struct HTTPForm: Sendable {
    /// The pairs, in order.
    public private(set) var pairs: [(name: String, value: String)]

    /// Creates a form from pairs.
    ///
    /// - Parameter pairs: The names and values, in order.
    public init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
    }

    /// Whether there are no pairs.
    public var isEmpty: Bool { pairs.isEmpty }

    /// Appends a pair to the form.
    ///
    /// - Parameters:
    ///   - value: The value of the pair; `nil` appends nothing.
    public mutating func append(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    /// Appends a pair whose value is a secret.
    ///
    /// The secret is revealed only in the request that is sent.
    ///
    /// - Parameters:
    ///   - value: The secret value; `nil` appends nothing.
    public mutating func append(_ name: String, _ value: Secret?) {
        append(name, value?.reveal())
    }

    /// The form as `name=value` pairs joined by `&`, percent-encoded.
    public var encoded: String { Percent.encodeForm(pairs) }
}

extension HTTPForm: ExpressibleByDictionaryLiteral {
    /// Creates a form with the given pairs, in their order.
    ///
    /// - Parameter elements: The names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
