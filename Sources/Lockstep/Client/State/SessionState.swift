internal import LockstepPrimitives

/// Who is signed in, and the calls of this session that several callers share.
struct SessionState: Sendable {
    var machine = SessionMachine()
    /// The refresh of this generation, which every caller that needs one joins.
    var refreshing = Shared<SessionOperation.Outcome>()
    /// The making of backup codes of this generation: a second one would void what the first has shown.
    var renewingBackupCodes = Shared<Result<[Secret], AuthError>>()
    /// The sessions that sign-ins have replaced and whose end is still to be sent, as the store has them beside the session.
    var replaced: [Revocation] = []

    /// The calls under way end for those who have joined them, and are joined by no caller of the next session.
    mutating func leaveSharedCalls() {
        refreshing = Shared()
        renewingBackupCodes = Shared()
    }
}
