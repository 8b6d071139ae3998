internal import LockstepPrimitives

/// The members of a request, in the operation's spelling and types.
struct Body: Sendable {
    let members: JSONObject

    init(_ members: JSONObject = [:]) {
        self.members = members
    }

    /// The text of a member, also an empty one; `nil` where it is not there.
    func text(_ name: String) -> String? { members[name]?.string }

    /// The text of a member that is there and not empty.
    func given(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    func flag(_ name: String) -> Bool? { members[name]?.bool }

    /// The texts of a list; empty where it is not there.
    func texts(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }

    func message(_ name: String) -> Body? { members[name]?.object.map(Body.init) }

    func messages(_ name: String) -> [Body] { (members[name]?.array ?? []).compactMap(\.object).map(Body.init) }

    func has(_ name: String) -> Bool { members[name] != nil }
}
