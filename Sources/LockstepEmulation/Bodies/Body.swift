public import LockstepPrimitives

/// The members of a request's body, as its ``BodySchema`` has read them.
public struct Body: Sendable {
    /// The members.
    public let members: JSONObject

    /// A body with these members.
    public init(_ members: JSONObject = [:]) { self.members = members }

    /// The value of a member, `null` included; `nil` if it is absent.
    public subscript(name: String) -> JSON? { members[name] }

    /// Whether the member is there, also with `null`.
    public func has(_ name: String) -> Bool { members[name] != nil }

    /// The text of a member, also an empty one; `nil` if it is absent.
    public func text(_ name: String) -> String? { members[name]?.string }

    /// The text of a member that is there and not empty.
    public func given(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The flag of a member; `nil` if it is absent.
    public func flag(_ name: String) -> Bool? { members[name]?.bool }

    /// The texts of a list; empty if it is absent.
    public func texts(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }

    /// The members of an object; `nil` if it is absent.
    public func object(_ name: String) -> JSONObject? { members[name]?.object }

    /// The object of a member as a body; `nil` if it is absent.
    public func nested(_ name: String) -> Body? { members[name]?.object.map(Body.init) }

    /// The objects of a list as bodies; empty if it is absent.
    public func bodies(_ name: String) -> [Body] { (members[name]?.array ?? []).compactMap(\.object).map(Body.init) }
}
