public import LockstepPrimitives

/// The members of a request body after its ``BodySchema`` has validated them.
public struct Body: Sendable {
    /// The members.
    public let members: JSONObject

    /// Creates a body with these members.
    public init(_ members: JSONObject = [:]) { self.members = members }

    /// The value of a member, which may be `null`; `nil` if the member is absent.
    public subscript(name: String) -> JSON? { members[name] }

    /// Whether the body has the member.
    ///
    /// A member with `null` counts.
    public func has(_ name: String) -> Bool { members[name] != nil }

    /// The string of a member, which may be empty; `nil` if the member is absent.
    public func text(_ name: String) -> String? { members[name]?.string }

    /// The string of a member; `nil` if the member is absent or empty.
    public func given(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The Boolean value of a member; `nil` if the member is absent.
    public func flag(_ name: String) -> Bool? { members[name]?.bool }

    /// The strings of a list; empty if the member is absent.
    public func texts(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }

    /// The members of an object; `nil` if the member is absent.
    public func object(_ name: String) -> JSONObject? { members[name]?.object }

    /// An object as a body; `nil` if the member is absent.
    public func nested(_ name: String) -> Body? { members[name]?.object.map(Body.init) }

    /// The objects of a list as bodies; empty if the member is absent.
    public func bodies(_ name: String) -> [Body] { (members[name]?.array ?? []).compactMap(\.object).map(Body.init) }
}
