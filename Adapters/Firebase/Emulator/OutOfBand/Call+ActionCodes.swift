internal import LockstepPrimitives
internal import LockstepSQLite

extension Call {
    /// Makes a code and mails its link.
    @discardableResult
    func sendCode(
        _ kind: ActionCode.Kind, to email: String, newEmail: String? = nil, continueURL: String? = nil, isMailed: Bool = true,
        _ db: inout SQLiteConnection
    ) throws -> ActionCode {
        let code = Base64.encode(backend.randomness.bytes(40), .url)
        let action = ActionCode(
            code: code, kind: kind, email: email, newEmail: newEmail, link: link(to: code, kind, continueURL: continueURL),
            createdAt: now)
        try db.insert(action, in: space)
        if isMailed { try backend.mail(action) }
        return action
    }

    private func link(to code: String, _ kind: ActionCode.Kind, continueURL: String?) -> String {
        var query = [
            (name: "mode", value: kind.mode ?? ""), (name: "lang", value: "en"), (name: "oobCode", value: code),
            (name: "apiKey", value: settings.apiKey),
        ]
        if let continueURL { query.append((name: "continueUrl", value: continueURL)) }
        if let tenant = space.tenant { query.append((name: "tenantId", value: tenant)) }
        let path = settings.mode == .strict ? "/__/auth/action" : "/emulator/action"
        return backend.base + path + "?" + Percent.encodeForm(query)
    }

    /// The code, if it is open and not too old.
    func openCode(_ text: String, _ db: inout SQLiteConnection) throws -> ActionCode {
        let code = try require(try db.actionCode(text, in: space), .invalidOobCode)
        if let lifetime = code.kind.lifetime(settings.lifetimes) {
            try require(now - code.createdAt <= lifetime, .expiredOobCode)
        }
        return code
    }

    /// Applies a mailed code: verifies, changes or recovers an address.
    func apply(code text: String) throws -> JSON {
        // Every attempt uses the code up, failed ones too: so the refusal leaves the transaction as a value.
        try transaction { db -> Result<JSON, APIError> in
            let code = try openCode(text, &db)
            guard [.verifyEmail, .changeEmail, .recoverEmail].contains(code.kind) else {
                throw settings.mode == .strict ? APIError.refused(.invalidOobCode) : .notImplemented(code.kind.rawValue)
            }
            try db.remove(code, in: space)
            do throws(APIError) {
                return .success(.object(try apply(code, &db)))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func apply(_ code: ActionCode, _ db: inout SQLiteConnection) throws(APIError) -> JSONObject {
        try APIError.only {
            let isRecovery = code.kind == .recoverEmail
            let found = try isRecovery ? db.user(initialEmail: code.email, in: space) : db.user(email: code.email, in: space)
            var user = try require(found, .invalidOobCode)
            let email = code.newEmail ?? code.email
            if code.kind != .verifyEmail {
                try require(try db.user(email: email, in: space) == nil, .emailExists)
            }
            user.email = email
            user.emailVerified = true
            if settings.mode == .strict, code.kind != .verifyEmail {
                // https://firebase.google.com/docs/auth/admin/manage-sessions: a major change revokes sessions.
                user.validSince = now.seconds
            }
            let isReplaced = settings.mode == .strict && code.kind == .changeEmail
            if isReplaced, user.initialEmail == nil { user.initialEmail = code.email }
            user.settleIdentities()
            try db.update(user, in: space)
            // Production notifies the former address, with a link that reverts the change (template "Email address change").
            if isReplaced, let former = user.initialEmail { try sendCode(.recoverEmail, to: former, &db) }
            return accountInfo(user, newEmail: code.newEmail)
        }
    }
}
