public import Lockstep

/// How users are written to a target, and what else the writing causes.
public struct MoveRoad: Sendable {
    /// How users are written, as a part of a sentence, such as "by SQL".
    public var name: String
    /// Returns what else happens when users are written or deleted.
    public var effects: @Sendable () async throws(AuthError) -> [MoveEffect]

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - name: How users are written, as a part of a sentence.
    ///   - effects: Returns what else happens when users are written or deleted.
    public init(
        _ name: String = "by the API",
        effects: @escaping @Sendable () async throws(AuthError) -> [MoveEffect] = { () throws(AuthError) in [] }
    ) {
        self.name = name
        self.effects = effects
    }
}

/// Something else that happens on the target when users are written or deleted.
public struct MoveEffect: Sendable, Hashable {
    /// A description of what happens, such as "triggers on auth.users that will run".
    public var what: String
    /// The names of the objects that cause it, such as triggers.
    ///
    /// There may be none.
    public var names: [String]

    /// Creates a description of what happens.
    ///
    /// - Parameters:
    ///   - what: The description.
    ///   - names: The names of the objects that cause it.
    public init(_ what: String, _ names: [String]) {
        self.what = what
        self.names = names
    }
}
