internal import LockstepEmulation
internal import LockstepPrimitives

extension Schema {
    /// The tables, with the names and columns of the real server's.
    ///
    /// Times are milliseconds, and JSON is text.
    static let goTrue = Schema([
        User.table.definition, Identity.table.definition, Session.table.definition, SessionProof.table.definition,
        RefreshToken.table.definition, OneTimeToken.table.definition, FlowState.table.definition, Factor.table.definition,
        FactorChallenge.table.definition, Passkey.table.definition, PasskeyChallenge.table.definition,
        AuditEntry.table.definition,
    ])
}
