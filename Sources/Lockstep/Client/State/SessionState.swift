internal import LockstepPrimitives

/// The session of the signed-in user, and the calls of this session that several callers share.
struct SessionState: Sendable {
    var machine = SessionMachine()
    /// The current refresh of this generation, shared by all callers that need one.
    var refreshing = Shared<SessionOperation.Outcome>()
    /// The current creation of backup codes in this generation.
    ///
    /// A second one would make the first codes invalid.
    var renewingBackupCodes = Shared<Result<[Secret], AuthError>>()
    /// The replaced sessions that must still be ended on the backend.
    ///
    /// The store keeps them together with the session.
    var replaced: [Revocation] = []

    /// Forgets the shared calls in progress.
    ///
    /// They end for their current callers, and callers of the next session start new ones.
    mutating func leaveSharedCalls() {
        refreshing = Shared()
        renewingBackupCodes = Shared()
    }
}
