internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /factors/{factor_id}`.
struct UnenrollEndpoint: Endpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        let factor = try context.factors.factorOfPath(user)
        guard let session = context.caller?.session else {
            throw GoTrueError.failure("A valid session and factor are required to unenroll a factor")
        }
        if factor.isVerified, !session.isSecondFactor {
            throw GoTrueError.unprocessable(.insufficientAAL, "AAL2 required to unenroll verified factor")
        }
        try context.db.deleteFactor(factor)
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "factor_status": .string(factor.status), "session_id": .string(session.id),
        ]
        try context.auditLog.record(.factorUnenrolled, user, traits: traits)
        return .go(["id": .string(factor.id)] as JSONObject)
    }
}
