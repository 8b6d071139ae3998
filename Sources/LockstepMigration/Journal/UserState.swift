/// The state of a user in a run, which says what the run has done with the user.
public enum UserState: String, Sendable, CaseIterable {
    // On the way.
    /// The run will create the user.
    case planned
    /// A request that creates the user may have been sent.
    case intended
    /// The target has confirmed that it has the user.
    case complete
    /// The user was read back from the target, and matches what was written.
    case verified

    // Aside.
    /// The user was already on the target, with the values that the run would have written.
    case adopted
    /// The user is left out, because of the operator's choices.
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
    /// An undo has not deleted the user.
    case kept

    /// Whether the run created the user, and the user exists as far as the run knows.
    var isMade: Bool { [.complete, .verified].contains(self) }
}

/// The outcome of an undo for a user.
public enum Removal: String, Sendable, CaseIterable {
    /// The request that deletes the user may have been sent.
    case intended
    /// The user is deleted.
    case undone
    /// The user is kept, because the user has signed in since.
    case signedIn
    /// The user is kept, because the user differs from what was written.
    case changed
}
