extension JSONObject {
    /// Gathers the members of an object of any size in time that grows with their number only.
    ///
    /// The first sixteen names are looked for one by one, which is the fastest for objects as they are; beyond that an index
    /// is kept, so that a hostile object of a hundred thousand members costs no more than its bytes do.
    struct Builder {
        private(set) var object = JSONObject()
        private var index: [Name: Int] = [:]
        private static let unindexed = 16

        /// Sets a member, and says whether there was none of that name.
        mutating func set(_ name: String, to value: JSON) -> Bool {
            if let place = place(of: name) {
                object.replace(at: place, with: value)
                return false
            }
            object.append(name, value)
            if object.count > Self.unindexed { index[Name(text: name)] = object.count - 1 }
            return true
        }

        private mutating func place(of name: String) -> Int? {
            guard object.count >= Self.unindexed else { return object.place(of: name) }
            if index.isEmpty {
                for (place, member) in object.enumerated() { index[Name(text: member.name)] = place }
            }
            return index[Name(text: name)]
        }
    }

    /// A member name that equals only the same bytes, whatever Unicode holds for equivalent.
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { JSONObject.isSame(left.text, right.text) }

        func hash(into hasher: inout Hasher) {
            for unit in text.utf8 { hasher.combine(unit) }
        }
    }
}
