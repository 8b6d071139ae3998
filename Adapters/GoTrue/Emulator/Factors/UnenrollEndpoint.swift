internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /factors/{factor_id}`.
struct UnenrollEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        let user = try turn.user()
        let factor = try turn.factorOfPath(user)
        if factor.isVerified, turn.caller?.session?.isSecondFactor != true {
            throw GoTrueError.unprocessable(.insufficientAAL, "AAL2 required to unenroll verified factor")
        }
        try db.deleteFactor(id: factor.id)
        // Sessions that this factor had raised fall back.
        try db.run(
            "DELETE FROM mfa_amr_claims WHERE authentication_method = \(factor.kind.method.rawValue) AND session_id IN (SELECT id FROM sessions WHERE factor_id = \(factor.id))"
        )
        try db.run("UPDATE sessions SET aal = 'aal1', factor_id = NULL WHERE factor_id = \(factor.id)")
        try turn.audit(.factorUnenrolled, user, &db, traits: ["factor_id": .string(factor.id)])
        return .go(["id": .string(factor.id)] as JSONObject)
    }
}
