internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `mfaEnrollment:withdraw`.
struct WithdrawFactor: Operation {
    let shape = Shape.enrolmentWithdraw
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let token = try call.require(call.body.given("idToken"), .missingIDToken)
        return try call.transaction { db in
            let holder = try call.holder(of: token, &db)
            if call.settings.mode == .strict { try call.requireRecentSignIn(holder) }
            var user = holder.user
            let id = call.body.text("mfaEnrollmentId")
            let rest = (user.factors ?? []).filter { $0.id != id }
            try call.require(rest.count < (user.factors ?? []).count, .factorNotFound)
            user.factors = rest
            let tokens = try call.issue(
                to: &user, Grant(provider: holder.provider, authTime: holder.claims["auth_time"]?.int), &db)
            try db.update(user, identitiesChanged: false, in: call.space)
            return .object(tokens)
        }
    }
}
