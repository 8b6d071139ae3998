internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:resetPassword`: tells what a code is for, or sets a new password by it.
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
    /// Does it, or without a new password tells what the code is for.
    func resetPassword(code text: String, _ newPassword: String?) throws -> JSONObject {
        let found = try reading { db in try openCode(text, &db) }
        guard let newPassword else { return Self.description(of: found) }
        try require(found.kind == .passwordReset, .invalidOobCode)
        try requireStrength(newPassword)
        let password = try hashed(newPassword)
        return try transaction { db -> Result<JSONObject, APIError> in
            let code = try openCode(text, &db)
            // Used up even where the user is gone by now.
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
        // Who holds a sign-in link must say for whom it is.
        if code.kind != .emailSignIn { answer["email"] = .string(code.email) }
        answer["newEmail"] = code.newEmail.map(JSON.string)
        return answer
    }
}
