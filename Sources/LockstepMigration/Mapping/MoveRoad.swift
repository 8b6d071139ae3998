public import Lockstep

/// The way users are written to a target, and the side effects.
public struct MoveRoad: Sendable {
    /// The way in words, such as "by SQL".
    public var name: String
    /// Returns the side effects of writing or deleting users.
    public var effects: @Sendable () async throws(AuthError) -> [MoveEffect]

    /// Creates a way to write users.
    ///
    /// - Parameters:
    ///   - name: The way in words.
    ///   - effects: Returns the side effects.
    public init(
        _ name: String = "by the API",
        effects: @escaping @Sendable () async throws(AuthError) -> [MoveEffect] = { () throws(AuthError) in [] }
    ) {
        self.name = name
        self.effects = effects
    }
}

/// A side effect on a target when users are written or deleted.
public struct MoveEffect: Sendable, Hashable {
    /// A description, such as "triggers on auth.users that will run".
    public var what: String
    /// The names of the objects; may be empty.
    public var names: [String]

    /// Creates an effect.
    ///
    /// - Parameters:
    ///   - what: The description.
    ///   - names: The names of the objects.
    public init(_ what: String, _ names: [String]) {
        self.what = what
        self.names = names
    }
}
