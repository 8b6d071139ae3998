public import LockstepPrimitives

/// The members that a request body may have, and the type of each.
///
///     static let body: BodySchema = ["email": .text, "password": .text, "data": .object, "security": .members(["captcha_token": .text])]
///
/// ``BodyRules`` set how strict the check is. A provider uses the same rules for all bodies. If a body has a fault, the check
/// throws a ``BodyFault``, and the provider writes its own error message.
public struct BodySchema: Sendable, ExpressibleByDictionaryLiteral {
    /// The type of a member's value.
    public indirect enum Kind: Sendable {
        /// A string.
        case text
        /// `true` or `false`.
        case flag
        /// A whole number.
        case whole
        /// A number.
        case number
        /// One of these words, or the index of a word in the list.
        case choice([String])
        /// A string for which the provider's function returns true.
        case checked(@Sendable (String) -> Bool)
        /// An object with any members.
        case object
        /// A list of values of one type.
        case list(Kind)
        /// An object with these members.
        case members(BodySchema)
        /// An object with any member names, whose values have one type.
        case map(Kind)
        /// Any value.
        case anything
        /// A value of this type, or `null`, which means that the member is absent.
        ///
        /// This does not depend on the provider's rules.
        case optional(Kind)
        /// A member that only strict rules check. Lenient rules ignore it, whatever its value is.
        case strictOnly(Kind)
    }

    /// A schema for a body without members.
    public static let none = BodySchema(name: "", [])

    /// A schema that accepts any members.
    ///
    /// Use this schema for an operation that is always rejected.
    public static let any = BodySchema(name: "", [], isOpen: true)

    /// The name of the schema, which some providers show in error messages.
    public let name: String
    /// The name and the type of each member.
    public let members: [(name: String, kind: Kind)]
    private let places: [ExactString: Int]
    /// Whether members that the schema does not declare are kept.
    let isOpen: Bool

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - members: The name and the type of each member.
    public init(name: String, _ members: [(name: String, kind: Kind)]) {
        self.init(name: name, members, isOpen: false)
    }

    private init(name: String, _ members: [(name: String, kind: Kind)], isOpen: Bool) {
        self.name = name
        self.members = members
        self.isOpen = isOpen
        places = Dictionary(members.enumerated().map { ($1.name.exact, $0) }) { _, later in later }
    }

    /// Creates a schema without a name.
    ///
    /// - Parameter elements: The name and the type of each member.
    public init(dictionaryLiteral elements: (String, Kind)...) {
        self.init(name: "", elements.map { ($0, $1) })
    }

    /// Returns this schema with more members.
    ///
    /// - Returns: The schema with the members of both schemas.
    public func adding(_ more: BodySchema) -> BodySchema { BodySchema(name: name, members + more.members) }

    /// Returns this schema with another name.
    public func named(_ name: String) -> BodySchema { BodySchema(name: name, members) }

    /// Returns the member with this name, spelled as in the schema.
    func member(_ name: String, _ spelling: BodyRules.Spelling) -> (name: String, kind: Kind)? {
        if let place = places[name.exact] { return members[place] }
        switch spelling {
        case .exact: return nil
        case .anyCase:
            let lower = name.lowercased()
            return members.first { $0.name.lowercased() == lower }
        case .snakeOrCamelCase: return places[CamelCase.spelling(of: name).exact].map { members[$0] }
        }
    }
}

/// The rules by which a provider checks request bodies.
public struct BodyRules: Sendable {
    /// The rule for a member that the schema does not declare.
    public enum Unknown: Sendable {
        /// The member is left out.
        case ignored
        /// The member is a fault.
        case rejected
    }

    /// The rule for a value of the wrong type.
    public enum Values: Sendable {
        /// The value is a fault.
        case exact
        /// The value is converted if possible.
        ///
        /// A number becomes a string if a string is expected. The index of a word becomes the word.
        case coerced
    }

    /// The rule for comparing the names of members with the names in the schema.
    public enum Spelling: Sendable {
        /// The names must be the same, including upper and lower case.
        case exact
        /// The names may differ in upper and lower case.
        ///
        /// If a name is exactly the same, that member is used.
        case anyCase
        /// `id_token` and `idToken` are the same name.
        case snakeOrCamelCase
    }

    /// The rule for a member that the schema does not declare.
    public var unknown: Unknown
    /// The rule for a value of the wrong type.
    public var values: Values
    /// The rule for comparing names with the names in the schema.
    public var spelling: Spelling
    /// Whether a member with the value `null` is treated as absent.
    public var ignoresNull: Bool

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - unknown: The rule for a member that the schema does not declare.
    ///   - values: The rule for a value of the wrong type.
    ///   - spelling: The rule for comparing names with the names in the schema.
    ///   - ignoresNull: Whether a member with the value `null` is treated as absent.
    public init(unknown: Unknown, values: Values, spelling: Spelling = .exact, ignoresNull: Bool = false) {
        self.unknown = unknown
        self.values = values
        self.spelling = spelling
        self.ignoresNull = ignoresNull
    }
}

/// A fault that a schema has found in a request body.
public enum BodyFault: Error, Sendable {
    /// The body contains a member that the schema does not declare.
    case unknown(name: String, at: [String])
    /// A value has the wrong type.
    case kind(expected: BodySchema.Kind, found: JSON, at: [String])
}

/// Names in camel case, such as `idToken`.
///
/// JSON for protobuf accepts `id_token` for `idToken` (https://protobuf.dev/programming-guides/json/).
public enum CamelCase {
    /// Returns a name in camel case.
    ///
    /// - Parameter name: The name, which may contain underscores.
    /// - Returns: The name in camel case. A name without an underscore is returned unchanged.
    public static func spelling(of name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        var words = name.pieces(at: "_").map { $0.lowercased() }
        guard !words.isEmpty else { return name }
        for index in words.indices.dropFirst() { words[index] = words[index].prefix(1).uppercased() + words[index].dropFirst() }
        return words.joined()
    }
}
