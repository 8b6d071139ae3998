/// The state of a user in a run.
public enum UserState: String, Sendable, CaseIterable {
    // On the way.
    /// The plan creates the user.
    case planned
    /// A request for the user may have been sent.
    case intended
    /// The target has confirmed that it has the user.
    case complete
    /// The user was read back, and matches what was written.
    case verified

    // Aside.
    /// The user was on the target before the run, with the values that the run would have written.
    case adopted
    /// The operator's choices leave the user out.
    case skipped
    /// The plan or the target rejects the user.
    case refused
    /// The target did not report whether it created the user.
    case unknown
    /// The user on the target differs from what was written.
    case differs
    /// The user was deleted from the source or the target.
    case gone
    /// The run has deleted the user that it had created.
    case undone
    /// An undo has kept the user.
    case kept

    /// Whether the run made the user, and the user is there as far as the run knows.
    var isMade: Bool { [.complete, .verified].contains(self) }
}

/// The result or the intent of an undo for a user.
public enum Removal: String, Sendable, CaseIterable {
    /// A request that deletes the user may have been sent.
    case intended
    /// The user is deleted.
    case undone
    /// The user has signed in since.
    case signedIn
    /// The user differs from what was written.
    case changed
}
