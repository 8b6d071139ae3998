/// A JSON value (RFC 8259) whose objects keep the order of their members.
public enum JSON: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSON])
    /// Members in order.
    case object(JSONObject)
}

extension JSON {
    /// The member `name` of an object; `nil` for anything else, and where there is none.
    public subscript(name: String) -> JSON? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    /// The element at `index` of a list; `nil` for anything else, and beyond its end.
    public subscript(index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text, where it is one.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth value, where it is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number, where it is one.
    public var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The number, where it is one.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements, where it is a list.
    public var array: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, where it is an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Whether it is `null`.
    public var isNull: Bool { self == .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A list.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object, members in the order given; of members with the same name the last counts.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
    /// The JSON null.
    public init(nilLiteral: ()) { self = .null }
}
