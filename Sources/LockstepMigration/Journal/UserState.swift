/// How far a user of a run is.
public enum UserState: String, Sendable, CaseIterable {
    // On the way.
    /// The plan creates the user.
    case planned
    /// A request for the user may have been sent.
    case intended
    /// The user is there, as the target has confirmed.
    case complete
    /// The user was read back as it was written.
    case verified

    // Aside.
    /// The user was at the target before the run, as the run would have written it.
    case adopted
    /// The operator's choices leave the user out.
    case skipped
    /// The plan or the target rejects the user.
    case refused
    /// The target did not report whether it created the user.
    case unknown
    /// The user at the target is not as it was written.
    case differs
    /// The user has gone from the source or the target.
    case gone
    /// The run has deleted what it had made.
    case undone
    /// An undo has left the user.
    case kept

    /// Whether the run made the user, and the user is there as far as the run knows.
    var isMade: Bool { [.complete, .verified].contains(self) }
}

/// What an undo has found out about a user, or is about to do.
public enum Removal: String, Sendable, CaseIterable {
    /// A request that deletes the user may have been sent.
    case intended
    /// The user is deleted.
    case undone
    /// The user has signed in since.
    case signedIn
    /// The user is not as it was written.
    case changed
}
