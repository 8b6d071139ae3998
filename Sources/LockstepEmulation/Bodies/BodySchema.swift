public import LockstepPrimitives

/// The members that a request's body may have, and the kind of each.
///
///     static let body: BodySchema = ["email": .text, "password": .text, "data": .object, "security": .members(["captcha_token": .text])]
///
/// ``BodyRules`` say how strict a reading is: a provider has one set of rules for all of its bodies. A fault is a value (``BodyFault``), which
/// the provider words.
public struct BodySchema: Sendable, ExpressibleByDictionaryLiteral {
    /// What a member's value is.
    public indirect enum Kind: Sendable {
        /// A text.
        case text
        /// `true` or `false`.
        case flag
        /// A whole number.
        case whole
        /// A number.
        case number
        /// One of these words, or its place among them.
        case choice([String])
        /// A text that passes a check of the provider's.
        case checked(@Sendable (String) -> Bool)
        /// An object with any members.
        case object
        /// A list of values of one kind.
        case list(Kind)
        /// An object with these members.
        case members(BodySchema)
        /// An object with any names, and values of one kind.
        case map(Kind)
        /// Any value.
        case anything
        /// The same as absent where it is `null`, whatever the rules say.
        case optional(Kind)
        /// A member that strict rules know, and lenient rules leave out, whatever its value.
        case strictOnly(Kind)
    }

    /// No member.
    public static let none = BodySchema(name: "", [])

    /// Any members, as they come: for an operation that is rejected whatever its body says.
    public static let any = BodySchema(name: "", [], isOpen: true)

    /// The name of the structure, for providers whose faults name it.
    public let name: String
    /// Name and kind of each member.
    public let members: [(name: String, kind: Kind)]
    private let places: [String: Int]
    /// Whether names that are not declared stay, with any value.
    let isOpen: Bool

    /// Declares the members.
    ///
    /// - Parameters:
    ///   - name: The name of the structure.
    ///   - members: Name and kind of each.
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

    /// The same with more members.
    public func adding(_ more: BodySchema) -> BodySchema { BodySchema(name: name, members + more.members) }

    /// The same with a name.
    public func named(_ name: String) -> BodySchema { BodySchema(name: name, members) }

    /// The member of that name, in the schema's spelling.
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

/// How strict a provider is with bodies.
public struct BodyRules: Sendable {
    /// What happens to a member that the schema lacks.
    public enum Unknown: Sendable {
        /// It is left out.
        case ignored
        /// It is a fault.
        case rejected
    }

    /// What happens to a value of another kind.
    public enum Values: Sendable {
        /// It is a fault.
        case exact
        /// A number becomes a text where a text belongs, and the place of a word becomes the word.
        case coerced
    }

    /// How names are compared.
    public enum Spelling: Sendable {
        /// As they are.
        case exact
        /// Without regard to case where no name is the same.
        case anyCase
        /// `id_token` is `idToken`.
        case snakeOrCamelCase
    }

    /// What happens to an unknown member.
    public var unknown: Unknown
    /// What happens to a value of another kind.
    public var values: Values
    /// How names are compared.
    public var spelling: Spelling
    /// Whether a member with `null` counts as absent.
    public var ignoresNull: Bool

    /// Rules from their parts.
    public init(unknown: Unknown, values: Values, spelling: Spelling = .exact, ignoresNull: Bool = false) {
        self.unknown = unknown
        self.values = values
        self.spelling = spelling
        self.ignoresNull = ignoresNull
    }
}

/// What is wrong with a body.
public enum BodyFault: Error, Sendable {
    /// The schema lacks the member.
    case unknown(name: String, at: [String])
    /// The value is of another kind.
    case kind(expected: BodySchema.Kind, found: JSON, at: [String])
}

/// `id_token` as `idToken`, as protobuf's mapping to JSON reads both (https://protobuf.dev/programming-guides/json/).
public enum CamelCase {
    /// The name in camel case; one without an underscore stays as it is.
    public static func spelling(of name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        var words = name.pieces(at: "_").map { $0.lowercased() }
        guard !words.isEmpty else { return name }
        for index in words.indices.dropFirst() { words[index] = words[index].prefix(1).uppercased() + words[index].dropFirst() }
        return words.joined()
    }
}
