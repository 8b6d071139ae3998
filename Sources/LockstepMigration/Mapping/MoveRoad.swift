public import Lockstep

/// The way in which users are written to a target, and its side effects.
public struct MoveRoad: Sendable {
    /// The way in which users are written, as a part of a sentence, such as "by SQL".
    public var name: String
    /// Returns the side effects of writing or deleting users.
    public var effects: @Sendable () async throws(AuthError) -> [MoveEffect]

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - name: The way in which users are written, as a part of a sentence.
    ///   - effects: Returns the side effects of writing or deleting users.
    public init(
        _ name: String = "by the API",
        effects: @escaping @Sendable () async throws(AuthError) -> [MoveEffect] = { () throws(AuthError) in [] }
    ) {
        self.name = name
        self.effects = effects
    }
}

/// A side effect on the target when users are written or deleted.
public struct MoveEffect: Sendable, Hashable {
    /// A description of the side effect, such as "triggers on auth.users that will run".
    public var what: String
    /// The names of the objects that cause the side effect, such as triggers.
    ///
    /// There may be none.
    public var names: [String]

    /// Creates the description of a side effect.
    ///
    /// - Parameters:
    ///   - what: The description.
    ///   - names: The names of the objects that cause the side effect.
    public init(_ what: String, _ names: [String]) {
        self.what = what
        self.names = names
    }
}
