internal import LockstepPrimitives

/// The session of the signed-in user, and the calls of this session that several callers share.
struct SessionState: Sendable {
    var machine = SessionMachine()
    /// The refresh of this generation, which every caller that needs one joins.
    var refreshing = Shared<SessionOperation.Outcome>()
    /// The creation of backup codes in this generation; a second one would make the codes of the first invalid.
    var renewingBackupCodes = Shared<Result<[Secret], AuthError>>()
    /// The replaced sessions that must still be ended at the backend; the store has them together with the session.
    var replaced: [Revocation] = []

    /// The calls under way end for those who have joined them, and are joined by no caller of the next session.
    mutating func leaveSharedCalls() {
        refreshing = Shared()
        renewingBackupCodes = Shared()
    }
}
