public import LockstepPrimitives

/// Header fields in order.
///
/// Names are compared without case, and a name may occur several times.
public struct HTTPHeaders: Sendable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name with its original case.
        public let name: String
        /// The value without surrounding white space.
        public let value: String
        /// Whether the value is a secret although the name does not say so.
        public let isSecret: Bool

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        ///   - isSecret: Whether the value must not be shown in prints, traces and errors. Names such as `Authorization`
        ///     need no mark.
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

    /// Creates headers from fields.
    ///
    /// - Parameter fields: The fields, in order.
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

    /// The first value under a name.
    ///
    /// Setting a value replaces every field with that name; `nil` removes them.
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

    /// Replaces every field with this name by one whose value is not shown in prints, traces and errors.
    ///
    /// - Parameters:
    ///   - name: The name. It need not look like the name of a secret.
    ///   - secret: The value; `nil` removes the fields.
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

    /// Returns every value under a name, in order.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The values.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Returns whether there is a field with this name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: Whether there is such a field.
    public func contains(_ name: String) -> Bool { self[name] != nil }

    /// Appends a field.
    ///
    /// Other fields with this name stay.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The number of fields.
    public var count: Int {
        switch storage {
        case .fields(let fields): fields.count
        case .block(let block): block.count
        }
    }

    /// Whether there are no fields.
    public var isEmpty: Bool { count == 0 }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers with their fields in the given order.
    ///
    /// A repeated name makes two fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields, in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: Equatable {
    /// Returns whether both have the same fields in the same order.
    ///
    /// Names are compared without case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { $0.name.equalsIgnoringCase($1.name) && $0.value == $1.value }
    }
}
