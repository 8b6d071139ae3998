public import LockstepPrimitives

/// The names and values of a form or a query, in order.
///
/// A name may occur several times.
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

    /// Appends a pair, or does nothing if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    /// Appends a secret value.
    ///
    /// It is revealed only in the request that is sent.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; `nil` appends nothing.
    public mutating func append(_ name: String, _ value: Secret?) {
        append(name, value?.reveal())
    }

    /// The form as `name=value` pairs joined by `&`, percent-encoded.
    public var encoded: String { Percent.encodeForm(pairs) }
}

extension HTTPForm: ExpressibleByDictionaryLiteral {
    /// Creates a form with its pairs in the given order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
