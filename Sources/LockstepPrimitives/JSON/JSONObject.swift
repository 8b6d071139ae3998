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
    /// Looks at the members one by one: the objects of this field have a dozen of them, not thousands.
    public subscript(name: String) -> JSON? {
        get { storage.first { $0.name == name }?.value }
        set {
            let index = storage.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): storage[index].value = value
            case (let index?, nil): storage.remove(at: index)
            case (nil, let value?): storage.append((name, value))
            case (nil, nil): break
            }
        }
    }

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
