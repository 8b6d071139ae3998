public import Lockstep

/// How users are written at a target, and what else happens there when they are.
public struct MoveRoad: Sendable {
    /// The way in words, such as "by SQL".
    public var name: String
    /// About how many users it writes in a second; `nil` if that is not known.
    public var usersPerSecond: Int?
    /// Returns what else runs, or is touched, when users are written or deleted.
    public var effects: @Sendable () async throws(AuthError) -> [MoveEffect]

    /// A way to write users.
    ///
    /// - Parameters:
    ///   - name: The way in words.
    ///   - usersPerSecond: About how many users it writes in a second.
    ///   - effects: What else runs or is touched.
    public init(
        _ name: String = "by the API", usersPerSecond: Int? = nil,
        effects: @escaping @Sendable () async throws(AuthError) -> [MoveEffect] = { () throws(AuthError) in [] }
    ) {
        self.name = name
        self.usersPerSecond = usersPerSecond
        self.effects = effects
    }
}

/// Something at a target that users who are written or deleted set in motion.
public struct MoveEffect: Sendable, Hashable {
    /// What it is, such as "triggers on auth.users that will run".
    public var what: String
    /// Their names; empty for none.
    public var names: [String]

    /// An effect.
    ///
    /// - Parameters:
    ///   - what: What it is.
    ///   - names: Their names.
    public init(_ what: String, _ names: [String]) {
        self.what = what
        self.names = names
    }
}
