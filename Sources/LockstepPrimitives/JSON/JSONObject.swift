/// The members of a JSON object, in order, each name once.
///
/// Two objects are equal when they have the same members, in any order. Looking a member up, adding one and replacing one cost
/// the same in an object of any size, and comparing, hashing and making one cost time that grows with its members only.
public struct JSONObject: Sendable {
    private var storage: [(name: String, value: JSON)] = []
    /// Where each name stands; empty while there are few enough to be looked at one by one.
    private var index: [MemberName: Int] = [:]

    /// How many members are scanned one by one, which is the fastest for usual objects; a hostile object of a hundred thousand
    /// members has an index.
    private static let unindexed = 16

    /// No members.
    public init() {}

    /// The members given; of members with the same name the last value counts, in the place of the first.
    public init(_ members: some Sequence<(String, JSON)>) {
        storage.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { set(name, to: value) }
    }

    /// No members, and room for so many.
    public init(minimumCapacity: Int) {
        storage.reserveCapacity(minimumCapacity)
    }

    /// The value of a member; setting `nil` removes it, setting a new one puts it last.
    ///
    /// Names are the same when their bytes are: a letter and its decomposed form are two names, as for every other reader of JSON.
    /// Removing one costs time that grows with the members.
    public subscript(name: String) -> JSON? {
        get { place(of: name).map { storage[$0].value } }
        set {
            if let newValue {
                set(name, to: newValue)
            } else if let place = place(of: name) {
                storage.remove(at: place)
                makeIndex()
            }
        }
    }

    /// Sets a member, and says whether there was none of that name.
    @discardableResult
    mutating func set(_ name: String, to value: JSON) -> Bool {
        if let place = place(of: name) {
            storage[place].value = value
            return false
        }
        storage.append((name, value))
        if !index.isEmpty {
            index[MemberName(text: name)] = storage.count - 1
        } else if storage.count > Self.unindexed {
            makeIndex()
        }
        return true
    }

    private func place(of name: String) -> Int? {
        guard index.isEmpty else { return index[MemberName(text: name)] }
        return storage.firstIndex { MemberName.isSame($0.name, name) }
    }

    private mutating func makeIndex() {
        index = [:]
        guard storage.count > Self.unindexed else { return }
        index.reserveCapacity(storage.count)
        for (place, member) in storage.enumerated() { index[MemberName(text: member.name)] = place }
    }

    /// The names, in order.
    public var names: [String] { storage.map(\.name) }

    /// The same members, sorted by name.
    public func sorted() -> JSONObject {
        var copy = self
        copy.storage.sort { $0.name < $1.name }
        copy.makeIndex()
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

    /// Mixes the names in; their order makes no difference.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, _) in storage {
            var own = Hasher()
            own.combine(MemberName(text: name))
            sum &+= own.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members in the order given.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

/// A member name that equals only the same bytes, unlike Unicode's canonical equivalence.
private struct MemberName: Hashable {
    let text: String

    static func == (left: MemberName, right: MemberName) -> Bool { isSame(left.text, right.text) }

    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }

    /// By its bytes: `String` hashes equivalent spellings alike, of which one long name has any number.
    func hash(into hasher: inout Hasher) {
        for unit in text.utf8 { hasher.combine(unit) }
    }
}
