/// The members of a JSON object, in order, each name once.
///
/// Two objects are equal when they have the same members, whatever their order.
public struct JSONObject: Sendable {
    private var storage: [(name: String, value: JSON)] = []

    /// No members.
    public init() {}

    /// The members given; of members with the same name the last value counts, in the place of the first.
    public init(_ members: some Sequence<(String, JSON)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The value of a member; setting `nil` removes it, setting a new one puts it last.
    ///
    /// Looks at the members one by one: the objects of this field have a dozen of them, not thousands. Names are the same when
    /// their bytes are: a letter and its decomposed form are two names, as for every other reader of JSON.
    public subscript(name: String) -> JSON? {
        get { place(of: name).map { storage[$0].value } }
        set {
            switch (place(of: name), newValue) {
            case (let place?, let value?): storage[place].value = value
            case (let place?, nil): storage.remove(at: place)
            case (nil, let value?): storage.append((name, value))
            case (nil, nil): break
            }
        }
    }

    func place(of name: String) -> Int? { storage.firstIndex { Self.isSame($0.name, name) } }

    static func isSame(_ left: String, _ right: String) -> Bool {
        left == right && left.utf8.elementsEqual(right.utf8)
    }

    /// Puts a member last whose name must be new.
    mutating func append(_ name: String, _ value: JSON) { storage.append((name, value)) }

    mutating func replace(at place: Int, with value: JSON) { storage[place].value = value }

    /// The names, in order.
    public var names: [String] { storage.map(\.name) }

    /// The same members, sorted by name.
    public func sorted() -> JSONObject {
        var copy = self
        copy.storage.sort { $0.name < $1.name }
        return copy
    }
}

extension JSONObject: RandomAccessCollection {
    /// The place of the first member.
    public var startIndex: Int { 0 }
    /// The place after the last member.
    public var endIndex: Int { storage.count }
    /// The member at a place.
    public subscript(position: Int) -> (name: String, value: JSON) { storage[position] }
}

extension JSONObject: Hashable {
    /// Whether both have the same members.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Mixes the members in, in an order of its own.
    public func hash(into hasher: inout Hasher) {
        for name in names.sorted() { hasher.combine(name) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members in the order given.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
