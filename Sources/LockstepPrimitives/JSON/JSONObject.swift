/// The members of a JSON object, in order.
///
/// Each name occurs once.
///
/// Two objects are equal if they have the same members in any order. To look up, add or replace a member takes constant
/// time in an object of any size. To compare, hash or create an object takes linear time.
public struct JSONObject: Sendable {
    private var storage: [(name: String, value: JSON)] = []
    /// The position of each name; empty for small objects, whose members are scanned.
    private var index: [MemberName: Int] = [:]

    /// The number of members up to which an object is scanned, which is fastest for usual objects.
    ///
    /// Larger ones have an index, so a hostile object of a hundred thousand members is not slow.
    private static let unindexed = 16

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members.
    ///
    /// If a name is repeated, the last value is used, at the place of the first.
    ///
    /// - Parameter members: The names and values.
    public init(_ members: some Sequence<(String, JSON)>) {
        storage.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { set(name, to: value) }
    }

    /// Creates an empty object with reserved capacity.
    ///
    /// - Parameter minimumCapacity: The number of members to reserve memory for.
    public init(minimumCapacity: Int) {
        storage.reserveCapacity(minimumCapacity)
    }

    /// The value of a member.
    ///
    /// Setting `nil` removes the member; setting a value under a new name appends it.
    ///
    /// Names are compared by their bytes: a composed letter and its decomposed form are two names, as in every other JSON
    /// reader. Removing a member takes linear time.
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

    /// Sets a member, and returns whether the name is new.
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

    /// Returns the members sorted by name.
    public func sorted() -> JSONObject {
        var copy = self
        copy.storage.sort { $0.name < $1.name }
        copy.makeIndex()
        return copy
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { storage.count }
    /// The member at a position.
    public subscript(position: Int) -> (name: String, value: JSON) { storage[position] }
}

extension JSONObject: Hashable {
    /// Returns whether both objects have the same members.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes the members.
    ///
    /// Their order makes no difference.
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
    /// Creates an object with its members in the given order.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

/// A member name.
///
/// It is equal only to a name of the same bytes, unlike `String`, which uses Unicode's canonical equivalence.
private struct MemberName: Hashable {
    let text: String

    static func == (left: MemberName, right: MemberName) -> Bool { isSame(left.text, right.text) }

    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
    }

    /// Hashes the bytes.
    ///
    /// `String` hashes equivalent spellings alike, and one long name can have very many.
    func hash(into hasher: inout Hasher) {
        for unit in text.utf8 { hasher.combine(unit) }
    }
}
