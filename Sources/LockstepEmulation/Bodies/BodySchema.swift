public import LockstepPrimitives

/// The members that a request body may have, and the type of each.
///
///     static let body: BodySchema = ["email": .text, "password": .text, "data": .object, "security": .members(["captcha_token": .text])]
///
/// ``BodyRules`` define how strict the validation is: a provider has one set of rules for all of its bodies. A fault is a value
/// (``BodyFault``), and the provider writes its error message.
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
        /// One of these words, or the index of one.
        case choice([String])
        /// A string that passes the provider's check.
        case checked(@Sendable (String) -> Bool)
        /// An object with any members.
        case object
        /// A list of values of one type.
        case list(Kind)
        /// An object with these members.
        case members(BodySchema)
        /// An object with any names, and values of one type.
        case map(Kind)
        /// Any value.
        case anything
        /// A value for which `null` means absent, regardless of the rules.
        case optional(Kind)
        /// A member that strict rules accept and lenient rules ignore, regardless of its value.
        case strictOnly(Kind)
    }

    /// A schema without members.
    public static let none = BodySchema(name: "", [])

    /// A schema that accepts any members: for an operation that is rejected regardless of its body.
    public static let any = BodySchema(name: "", [], isOpen: true)

    /// The name of the structure, for providers that mention it in error messages.
    public let name: String
    /// The name and the type of each member.
    public let members: [(name: String, kind: Kind)]
    private let places: [String: Int]
    /// Whether undeclared members are kept.
    let isOpen: Bool

    /// Declares the members.
    ///
    /// - Parameters:
    ///   - name: The name of the structure.
    ///   - members: The name and the type of each member.
    public init(name: String, _ members: [(name: String, kind: Kind)]) {
        self.init(name: name, members, isOpen: false)
    }

    private init(name: String, _ members: [(name: String, kind: Kind)], isOpen: Bool) {
        self.name = name
        self.members = members
        self.isOpen = isOpen
        places = Dictionary(members.enumerated().map { ($1.name, $0) }) { _, later in later }
    }

    /// Declares the members.
    public init(dictionaryLiteral elements: (String, Kind)...) {
        self.init(name: "", elements.map { ($0, $1) })
    }

    /// Returns the schema with additional members.
    public func adding(_ more: BodySchema) -> BodySchema { BodySchema(name: name, members + more.members) }

    /// Returns the schema with a name.
    public func named(_ name: String) -> BodySchema { BodySchema(name: name, members) }

    /// Returns the member with that name, spelled as in the schema.
    func member(_ name: String, _ spelling: BodyRules.Spelling) -> (name: String, kind: Kind)? {
        if let place = places[name] { return members[place] }
        switch spelling {
        case .exact: return nil
        case .anyCase:
            let lower = name.lowercased()
            return members.first { $0.name.lowercased() == lower }
        case .snakeOrCamelCase: return places[CamelCase.spelling(of: name)].map { members[$0] }
        }
    }
}

/// The rules by which a provider validates request bodies.
public struct BodyRules: Sendable {
    /// The treatment of a member that the schema does not declare.
    public enum Unknown: Sendable {
        /// The member is left out.
        case ignored
        /// It is a fault.
        case rejected
    }

    /// The treatment of a value of the wrong type.
    public enum Values: Sendable {
        /// It is a fault.
        case exact
        /// A number is converted to a string if a string is expected, and the index of a word to the word.
        case coerced
    }

    /// The comparison of names.
    public enum Spelling: Sendable {
        /// Names are compared exactly.
        case exact
        /// Names are compared without regard to case, unless a name matches exactly.
        case anyCase
        /// `id_token` is `idToken`.
        case snakeOrCamelCase
    }

    /// The treatment of an unknown member.
    public var unknown: Unknown
    /// The treatment of a value of the wrong type.
    public var values: Values
    /// The comparison of names.
    public var spelling: Spelling
    /// Whether a member with `null` counts as absent.
    public var ignoresNull: Bool

    /// Creates rules.
    public init(unknown: Unknown, values: Values, spelling: Spelling = .exact, ignoresNull: Bool = false) {
        self.unknown = unknown
        self.values = values
        self.spelling = spelling
        self.ignoresNull = ignoresNull
    }
}

/// A fault in a request body.
public enum BodyFault: Error, Sendable {
    /// The schema does not declare the member.
    case unknown(name: String, at: [String])
    /// The value has the wrong type.
    case kind(expected: BodySchema.Kind, found: JSON, at: [String])
}

/// Names in camel case: protobuf's mapping to JSON accepts `id_token` as `idToken`
/// (https://protobuf.dev/programming-guides/json/).
public enum CamelCase {
    /// Returns the name in camel case; a name without an underscore is returned unchanged.
    public static func spelling(of name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        var words = name.pieces(at: "_").map { $0.lowercased() }
        guard !words.isEmpty else { return name }
        for index in words.indices.dropFirst() { words[index] = words[index].prefix(1).uppercased() + words[index].dropFirst() }
        return words.joined()
    }
}
