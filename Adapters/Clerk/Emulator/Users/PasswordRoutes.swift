import LockstepPrimitives

/// `/v1/me/change_password` and `/v1/me/remove_password`.
struct PasswordRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    /// Sets a password, the first one without a current one.
    ///
    /// Other sessions end unless the request says no.
    func change() throws -> FrontendResponse {
        try call.form.check(["current_password", "new_password", "sign_out_of_other_sessions"])
        guard call.settings.password.isEnabled else { throw ClerkError.featureNotEnabled }
        let session = try call.session()
        var user = try call.freshUser()
        let new = try call.form.required("new_password")
        if user.passwordDigest != nil, session.status != .pending { try checkCurrent(user) }
        if try context.matches(new, user) == true { throw ClerkError.samePassword }
        try Passwords(context: context).set(new, of: &user, parameter: "new_password")
        if try call.form.flag("sign_out_of_other_sessions") ?? true {
            try SessionRepository(context: context).revokeAll(of: user, but: session.id)
        }
        return .resource(try UserJSON(context: context).user(user))
    }

    func remove() throws -> FrontendResponse {
        try call.form.check(["current_password"])
        var user = try call.freshUser()
        guard user.passwordDigest != nil else { throw ClerkError.noPassword }
        if call.settings.password == .required { throw ClerkError.passwordRequired }
        try checkCurrent(user)
        try Passwords(context: context).remove(from: &user)
        return .resource(try UserJSON(context: context).user(user))
    }

    private func checkCurrent(_ user: UserRecord) throws {
        try Lockout(context: context).check(user)
        let current = try call.form.required("current_password")
        if try context.matches(current, user) != true {
            throw try Lockout(context: context).refusal(.wrongCurrentPassword("current_password"), countedFor: user)
        }
    }
}
