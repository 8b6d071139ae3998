public import LockstepPrimitives

/// The members of a request body, after the ``BodySchema`` of the route has checked them.
public struct Body: Sendable {
    /// The members that the body contains.
    public let members: JSONObject

    /// Creates a body with these members.
    public init(_ members: JSONObject = [:]) { self.members = members }

    /// The value of a member; `nil` if the body does not contain the member.
    ///
    /// The value may be `null`.
    public subscript(name: String) -> JSON? { members[name] }

    /// Returns whether the body contains a member, even if its value is `null`.
    public func has(_ name: String) -> Bool { members[name] != nil }

    /// Returns the string of a member, which may be empty; `nil` if the body does not contain the member.
    public func text(_ name: String) -> String? { members[name]?.string }

    /// Returns the string of a member; `nil` if the string is empty or the body does not contain the member.
    public func given(_ name: String) -> String? {
        guard let text = members[name]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// Returns the Boolean value of a member; `nil` if the body does not contain the member.
    public func flag(_ name: String) -> Bool? { members[name]?.bool }

    /// Returns the strings of a list, or an empty array if the body does not contain the member.
    public func texts(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }

    /// Returns the members of an object; `nil` if the body does not contain the object.
    ///
    /// - Parameter name: The name of the member that is an object.
    public func object(_ name: String) -> JSONObject? { members[name]?.object }

    /// Returns an object inside this body as a body; `nil` if this body does not contain the object.
    ///
    /// - Parameter name: The name of the member that is an object.
    public func nested(_ name: String) -> Body? { members[name]?.object.map(Body.init) }

    /// Returns the objects of a list as bodies, or an empty array if the body does not contain the list.
    ///
    /// - Parameter name: The name of the member that is a list.
    public func bodies(_ name: String) -> [Body] { (members[name]?.array ?? []).compactMap(\.object).map(Body.init) }
}
