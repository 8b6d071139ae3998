public import LockstepPrimitives

/// Names and values of a form or of a query, in order; a name may come several times.
public struct HTTPForm: Sendable {
    /// The pairs, in order.
    public private(set) var pairs: [(name: String, value: String)]

    /// The pairs given.
    public init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
    }

    /// Whether there is no pair.
    public var isEmpty: Bool { pairs.isEmpty }

    /// Puts a pair last; does nothing for `nil`, so that optional fields read well.
    public mutating func append(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    /// Puts a secret last; it is revealed to the wire only.
    public mutating func append(_ name: String, _ value: Secret?) {
        append(name, value?.reveal())
    }

    /// `name=value` joined by `&`, percent-encoded.
    public var encoded: String { Percent.encodeForm(pairs) }
}

extension HTTPForm: ExpressibleByDictionaryLiteral {
    /// The pairs in the order given.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
