public import LockstepPrimitives

/// A list of header fields.
///
/// The fields keep their order. Upper and lower case make no difference in names. A name may occur several times.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers.set("X-Request-Token", secret: "not shown in traces")
/// print(headers["accept"] ?? "")
/// ```
public struct HTTPHeaders: Sendable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name, with upper and lower case as given.
        public let name: String
        /// The value, without white space around it.
        public let value: String
        /// Whether the value is marked as a secret.
        ///
        /// Some names, such as `Authorization`, already say that the value is a secret. These names need no mark.
        public let isSecret: Bool

        /// Creates a header field.
        ///
        /// - Parameters:
        ///   - isSecret: Whether to hide the value in prints, traces and errors. Names such as `Authorization` need no mark.
        public init(name: String, value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// The fields of a response stay in their original bytes, until a caller needs more than one value.
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

    /// Creates headers from the fields of a response.
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

    /// The value of the first field with this name; `nil` if no field has the name.
    ///
    /// Setting a value removes all fields with this name and adds one. Setting `nil` removes them.
    ///
    /// - Parameter name: The name, in upper or lower case.
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

    /// Removes all fields with this name, and adds one field with a secret value.
    ///
    /// Prints, traces and errors do not show the value.
    ///
    /// - Parameters:
    ///   - name: The name. The name need not look like the name of a secret.
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

    /// Returns the values of all fields with this name, in order.
    ///
    /// - Parameter name: The name, in upper or lower case.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Returns whether there is a field with this name.
    ///
    /// - Parameter name: The name, in upper or lower case.
    /// - Returns: Whether there is such a field.
    public func contains(_ name: String) -> Bool { self[name] != nil }

    /// Appends a field, and keeps the other fields with this name.
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
    /// Creates headers with the given fields, in their order.
    ///
    /// A name that occurs twice makes two fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields, in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: Equatable {
    /// Returns whether two headers have the same fields in the same order.
    ///
    /// Upper and lower case make no difference in names.
    ///
    /// - Parameters:
    ///   - left: The first headers.
    ///   - right: The second headers.
    /// - Returns: Whether the headers are equal.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { $0.name.equalsIgnoringCase($1.name) && $0.value == $1.value }
    }
}
