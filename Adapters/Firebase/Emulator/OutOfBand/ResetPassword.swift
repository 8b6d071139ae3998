internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:resetPassword`: returns the purpose of a code, or sets a new password with it.
struct ResetPassword: Operation {
    let shape = Shape.resetPassword
    let effort = Effort.hashing

    func effort(of call: Call) -> Effort { call.body.given("newPassword") == nil ? .rows : .hashing }

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        try call.require(call.rules.methods.contains(.password), .passwordLoginDisabled)
        return .object(
            try call.resetPassword(code: try call.require(body.given("oobCode"), .missingOobCode), body.given("newPassword")))
    }
}

extension Call {
    /// Sets the password; without a new password, returns the purpose of the code.
    func resetPassword(code text: String, _ newPassword: String?) throws -> JSONObject {
        let found = try reading { db in try openCode(text, &db) }
        guard let newPassword else { return Self.description(of: found) }
        try require(found.kind == .passwordReset, .invalidOobCode)
        try requireStrength(newPassword)
        let password = try hashed(newPassword)
        return try transaction { db -> Result<JSONObject, APIError> in
            let code = try openCode(text, &db)
            // The code is used up even where the user has been deleted.
            try db.remove(code, in: space)
            guard var user = try db.user(email: code.email, in: space) else { return .failure(.refused(.invalidOobCode)) }
            user.emailVerified = true
            user.setPassword(password, at: now)
            user.settleIdentities(removing: (user.identities ?? []).map(\.providerID))
            try db.update(user, in: space)
            try db.forgetFailures(of: user, in: space)
            return .success(Self.description(of: code))
        }.get()
    }

    private static func description(of code: ActionCode) -> JSONObject {
        var answer: JSONObject = [
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(code.kind.rawValue),
        ]
        // The caller of a sign-in link must name its address.
        if code.kind != .emailSignIn { answer["email"] = .string(code.email) }
        answer["newEmail"] = code.newEmail.map(JSON.string)
        return answer
    }
}
