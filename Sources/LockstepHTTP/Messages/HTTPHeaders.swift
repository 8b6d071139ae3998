public import LockstepPrimitives

/// Header fields in order: names compare without case, a name may come several times.
public struct HTTPHeaders: Sendable {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value, without white space around it.
        public let value: String
        /// Whether the value is a secret that its name does not show.
        public let isSecret: Bool

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        ///   - isSecret: Whether no print, trace or error may show the value. Names such as `Authorization` need no mark.
        public init(name: String, value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// Fields of an answer stay the bytes they came as until a caller wants more of them than a value.
    private enum Storage: Sendable {
        case fields([Field])
        case block(HTTPHeaderBlock)
    }

    private var storage: Storage

    /// The fields given, in order.
    public init(_ fields: [Field] = []) {
        storage = .fields(fields)
    }

    /// The fields of an answer.
    package init(_ block: HTTPHeaderBlock) {
        storage = .block(block)
    }

    /// The fields, in order.
    public private(set) var fields: [Field] {
        get {
            switch storage {
            case .fields(let fields): fields
            case .block(let block): block.fields
            }
        }
        set { storage = .fields(newValue) }
    }

    /// The first value of a name; setting replaces every field of that name, `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            switch storage {
            case .fields(let fields): fields.first { $0.name.equalsIgnoringCase(name) }?.value
            case .block(let block): block.value(of: name)
            }
        }
        set {
            replace(name, with: newValue.map { Field(name: name, value: $0) })
        }
    }

    /// Replaces every field of a name with one whose value no print, trace or error shows; `nil` removes them.
    ///
    /// - Parameters:
    ///   - name: The name, which need not look like that of a secret.
    ///   - secret: The value.
    public mutating func set(_ name: String, secret: Secret?) {
        replace(name, with: secret.map { Field(name: name, value: $0.reveal(), isSecret: true) })
    }

    private mutating func replace(_ name: String, with field: Field?) {
        var fields = fields
        let place = fields.firstIndex { $0.name.equalsIgnoringCase(name) }
        fields.removeAll { $0.name.equalsIgnoringCase(name) }
        if let field { fields.insert(field, at: place ?? fields.endIndex) }
        self.fields = fields
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(_ name: String) -> Bool { self[name] != nil }

    /// Puts a field last, beside others of its name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// How many fields there are.
    public var count: Int {
        switch storage {
        case .fields(let fields): fields.count
        case .block(let block): block.count
        }
    }

    /// Whether there is no field.
    public var isEmpty: Bool { count == 0 }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields in the order given; a name that is given twice comes twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: Sequence {
    /// Goes through the fields, in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: Equatable {
    /// Whether both have the same fields in the same order, names compared without case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { $0.name.equalsIgnoringCase($1.name) && $0.value == $1.value }
    }
}
