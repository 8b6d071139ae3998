internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `mfaEnrollment:withdraw`.
struct WithdrawFactor: Endpoint {
    let shape = Shape.enrolmentWithdraw

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let holder = try request.tokens.holder(of: token)
        if request.settings.mode == .strict { try request.tokens.requireRecentSignIn(holder) }
        var user = holder.user
        let id = request.body.text("mfaEnrollmentId")
        let rest = (user.factors ?? []).filter { $0.id != id }
        try request.require(rest.count < (user.factors ?? []).count, .factorNotFound)
        user.factors = rest
        let tokens = try request.tokens.issue(
            to: &user, Grant(provider: holder.provider, authTime: holder.claims["auth_time"]?.int))
        try request.db.update(user, identitiesChanged: false, in: request.scope)
        return .object(tokens)
    }
}
