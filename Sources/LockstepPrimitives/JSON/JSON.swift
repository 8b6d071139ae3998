/// A JSON value (RFC 8259).
///
/// Objects keep the order of their members. Two strings are equal if their bytes are equal.
///
/// ```swift
/// let profile: JSON = ["name": "Ada", "projects": ["engine", "notes"]]
/// print(profile["name"]?.string ?? "no name")
///
/// let parsed = try JSON.parse(#"{"count": 2}"#)
/// print(parsed["count"]?.int == 2)
/// ```
public enum JSON: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent, if it fits 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    ///
    /// Its members keep their order.
    case object(JSONObject)
}

extension JSON: Hashable {
    /// Compares two values.
    ///
    /// A composed letter and its decomposed form are different, as in every other JSON reader. The order of an object's members
    /// does not matter.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.exact == right.exact
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let text): hasher.combine(text.exact)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSON {
    /// Returns the value of a member.
    ///
    /// - Parameter name: The name of the member.
    /// - Returns: The value; `nil` if the object has no such member, or if this value is not an object.
    public subscript(name: String) -> JSON? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    /// Returns an element of an array.
    ///
    /// - Parameter index: The index of the element.
    /// - Returns: The element; `nil` if the index is out of range, or if this value is not an array.
    public subscript(index: Int) -> JSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The string; `nil` if the value is not a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean value; `nil` if the value is not `true` or `false`.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number; `nil` if the value is not an ``int(_:)``.
    public var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The number as `Double`; `nil` if the value is not a number.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements; `nil` if the value is not an array.
    public var array: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members; `nil` if the value is not an object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a string.
    ///
    /// - Parameter value: The string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a Boolean value.
    ///
    /// - Parameter value: The Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates an array.
    ///
    /// - Parameter elements: The elements.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// Creates an object with its members in the given order.
    ///
    /// If a name is repeated, the object contains the last value.
    ///
    /// - Parameter elements: The names and values of the members.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
    /// Creates a `null`.
    ///
    /// - Parameter nilLiteral: An empty tuple.
    public init(nilLiteral: ()) { self = .null }
}
