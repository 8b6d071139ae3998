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
        guard let session = turn.caller?.session else {
            throw GoTrueError.failure("A valid session and factor are required to unenroll a factor")
        }
        if factor.isVerified, !session.isSecondFactor {
            throw GoTrueError.unprocessable(.insufficientAAL, "AAL2 required to unenroll verified factor")
        }
        try db.deleteFactor(factor)
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "factor_status": .string(factor.status), "session_id": .string(session.id),
        ]
        try turn.audit(.factorUnenrolled, user, &db, traits: traits)
        return .go(["id": .string(factor.id)] as JSONObject)
    }
}
