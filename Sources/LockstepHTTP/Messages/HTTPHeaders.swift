/// Header fields in order: names compare without case, a name may come several times.
public struct HTTPHeaders: Sendable {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value, without white space around it.
        public let value: String

        /// A field of that name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in order.
    public private(set) var fields: [Field]

    /// The fields given, in order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of a name; setting replaces every field of that name, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            let place = fields.firstIndex { $0.name.equalsIgnoringCase(name) }
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: place ?? fields.endIndex)
        }
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringCase(name) }
    }

    /// Puts a field last, beside others of its name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Forgets every field.
    public mutating func removeAll() {
        fields.removeAll()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields in the order given; a name that is given twice comes twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The place of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The place after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a place.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: Equatable {
    /// Whether both have the same fields in the same order, names compared without case.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.count == right.count
            && zip(left.fields, right.fields).allSatisfy { $0.name.equalsIgnoringCase($1.name) && $0.value == $1.value }
    }
}
