/// The members of a JSON object, in order; each name occurs once.
///
/// Two objects are equal if they have the same members, in any order. The time to find, add or replace a member does
/// not depend on the size of the object. The time to compare, hash or create an object grows with its size.
///
/// ```swift
/// var profile: JSONObject = ["name": "Ada"]
/// profile["age"] = 36
/// print(profile.names)  // ["name", "age"]
/// ```
public struct JSONObject: Sendable {
    private var storage: [(name: String, value: JSON)] = []
    /// The position of each name; empty for small objects, which are searched member by member.
    private var index: [ExactString: Int] = [:]

    /// The maximum number of members of an object without an index.
    ///
    /// In a small object, a search member by member is fastest. Larger objects have an index, so that a hostile object
    /// with a hundred thousand members is not slow.
    private static let unindexed = 16

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members.
    ///
    /// If a name is repeated, the object contains the last value, at the position of the first value.
    ///
    /// - Parameter members: The names and values.
    public init(_ members: some Sequence<(String, JSON)>) {
        storage.reserveCapacity(members.underestimatedCount)
        for (name, value) in members { set(name, to: value) }
    }

    /// Creates an object without members, and reserves memory for them.
    ///
    /// - Parameter minimumCapacity: The number of members for which memory is reserved.
    public init(minimumCapacity: Int) {
        storage.reserveCapacity(minimumCapacity)
    }

    /// Reads or sets the value of a member; `nil` removes the member.
    ///
    /// A value with a new name becomes the last member. Names are compared by their bytes. So a composed letter and its
    /// decomposed form are different names, as in every other JSON reader. The time to remove a member grows with the
    /// size of the object.
    ///
    /// - Parameter name: The name of the member.
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
            index[name.exact] = storage.count - 1
        } else if storage.count > Self.unindexed {
            makeIndex()
        }
        return true
    }

    private func place(of name: String) -> Int? {
        guard index.isEmpty else { return index[name.exact] }
        return storage.firstIndex { $0.name.exact == name.exact }
    }

    private mutating func makeIndex() {
        index = [:]
        guard storage.count > Self.unindexed else { return }
        index.reserveCapacity(storage.count)
        for (place, member) in storage.enumerated() { index[member.name.exact] = place }
    }

    /// The names, in order.
    public var names: [String] { storage.map(\.name) }

    /// Returns the object with its members sorted by the bytes of their names.
    ///
    /// - Returns: The sorted object.
    public func sorted() -> JSONObject {
        var copy = self
        copy.storage.sort { $0.name.exact < $1.name.exact }
        copy.makeIndex()
        return copy
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { storage.count }
    /// Returns the member at a position.
    ///
    /// - Parameter position: The position.
    /// - Returns: The name and the value.
    public subscript(position: Int) -> (name: String, value: JSON) { storage[position] }
}

extension JSONObject: Hashable {
    /// Returns whether both objects have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes the members, independently of their order.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, _) in storage {
            var own = Hasher()
            own.combine(name.exact)
            sum &+= own.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with its members in the given order.
    ///
    /// - Parameter elements: The names and values of the members.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
