internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Emailed codes: creates and sends them, and performs their actions.
struct ActionCodeService {
    let context: RequestContext

    /// Creates a code, and sends its link by email.
    ///
    /// - `domain`: The domain of the project's Hosting whose link opens the app; `nil` for a link to the page.
    /// - `isMailed`: Whether the code was sent by email.
    /// - `failure`: The response if the email cannot be sent.
    @discardableResult
    func send(
        _ kind: ActionCode.Kind, to email: String, newEmail: String? = nil, continueURL: String? = nil, domain: String? = nil,
        isMailed: Bool = true,
        failure: APIError = .outboxUnreachable
    ) throws -> ActionCode {
        let text = context.newToken("action code", bytes: 40)
        let code = ActionCode(
            space: context.scope.id, code: text, kind: kind, email: email, newEmail: newEmail,
            link: link(to: text, kind, continueURL: continueURL, domain: domain),
            createdAt: context.now)
        try context.db.insert(code)
        if isMailed {
            let sender = "noreply@\(context.state.project).firebaseapp.com"
            context.send(.mail(code.mail(from: sender)), failure: failure)
        }
        return code
    }

    private func link(to code: String, _ kind: ActionCode.Kind, continueURL: String?, domain: String?) -> String {
        var query = [
            (name: "mode", value: kind.mode ?? ""), (name: "lang", value: "en"), (name: "oobCode", value: code),
            (name: "apiKey", value: context.settings.apiKey),
        ]
        if let continueURL { query.append((name: "continueUrl", value: continueURL)) }
        if let tenant = context.scope.tenant { query.append((name: "tenantId", value: tenant)) }
        let path = context.isStrict ? ActionPageRoutes.path : EmulatorActionRoutes.path
        // The URL never uses the host of a request, which the caller can choose.
        let page = context.state.environment.base + path + "?" + Percent.encodeForm(query)
        // The system opens the app for this path of the domain, and the app reads the inner link.
        guard context.isStrict, let domain else { return page }
        return "https://\(domain)/__/auth/links?" + Percent.encodeForm([(name: "link", value: page)])
    }

    /// Returns the code, if it is open.
    func find(_ text: String) throws -> ActionCode? {
        try context.db.find(ActionCode.self, "space = \(context.scope.id) AND code = \(text)")
    }

    /// Uses a code up.
    private func remove(_ code: ActionCode) throws {
        try context.db.delete(ActionCode.self, "space = \(context.scope.id) AND code = \(code.code)")
    }

    /// Returns the open codes in the order in which they were created.
    func all() throws -> [ActionCode] { try context.db.all(ActionCode.self, "space = \(context.scope.id) ORDER BY id") }

    /// Returns the last unused code of a kind for an address.
    func last(_ kind: ActionCode.Kind, to email: String) throws -> ActionCode? {
        try context.db.find(
            ActionCode.self, "space = \(context.scope.id) AND email = \(email) AND kind = \(kind.rawValue) ORDER BY id DESC")
    }

    /// Returns the code, if it is open and has not expired.
    func open(_ text: String) throws -> ActionCode {
        let code = try context.require(try find(text), .invalidOobCode)
        if let lifetime = code.kind.lifetime(context.settings.lifetimes) {
            try context.require(context.now - code.createdAt <= lifetime, .expiredOobCode)
        }
        return code
    }

    /// Applies an emailed code: verifies, changes or recovers an address.
    func apply(_ text: String) throws -> JSON {
        let code = try open(text)
        guard [.verifyEmail, .changeEmail, .recoverEmail].contains(code.kind) else {
            throw context.isStrict ? APIError.refused(.invalidOobCode) : .notImplemented(code.kind.rawValue)
        }
        // Every attempt uses up the code, even a failed one.
        try remove(code)
        return .object(try APIError.keepingChanges { try apply(code) })
    }

    private func apply(_ code: ActionCode) throws -> JSONObject {
        let isStrict = context.isStrict
        let found =
            try code.kind == .recoverEmail
            ? context.users.find(initialEmail: code.email) : context.users.find(email: code.email)
        var user = try context.require(found, .invalidOobCode)
        let email = code.newEmail ?? code.email
        if code.kind != .verifyEmail {
            try context.require(try context.users.find(email: email) == nil, .emailExists)
        }
        user.email = email
        user.emailVerified = true
        if isStrict, code.kind != .verifyEmail {
            // https://firebase.google.com/docs/auth/admin/manage-sessions: a major change revokes sessions.
            user.validSince = context.now.seconds
        }
        let isReplaced = isStrict && code.kind == .changeEmail
        if isReplaced, user.initialEmail == nil { user.initialEmail = code.email }
        user.settleIdentities()
        try context.users.update(user)
        // Production notifies the former address, with a link that reverts the change (template "Email address
        // change"). If the message fails, the change remains.
        if isReplaced, let former = user.initialEmail {
            try send(.recoverEmail, to: former, failure: .inside("unreachable").keepingChanges)
        }
        return context.accountInfo(user, newEmail: code.newEmail)
    }

    /// Sets the password; without a new password, returns the purpose of the code.
    func resetPassword(code text: String, _ newPassword: String?) throws -> JSONObject {
        let code = try open(text)
        guard let newPassword else { return code.purpose }
        try context.require(code.kind == .passwordReset, .invalidOobCode)
        try context.passwords.requireStrength(newPassword)
        let password = try context.passwords.hash(newPassword)
        // The code is used up even if the user has been deleted.
        try remove(code)
        guard var user = try context.users.find(email: code.email) else {
            throw APIError.refused(.invalidOobCode).keepingChanges
        }
        user.emailVerified = true
        user.setPassword(password, at: context.now)
        user.settleIdentities(removing: (user.identities ?? []).map(\.providerID))
        try context.users.update(user)
        try context.users.forgetFailures(of: user)
        return code.purpose
    }
}

extension ActionCode {
    /// The response that contains the purpose of a code.
    fileprivate var purpose: JSONObject {
        JSONObject(given: [
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": kind.rawValue,
            // The caller of a sign-in link must send its address.
            "email": kind == .emailSignIn ? nil : email, "newEmail": newEmail,
        ])
    }
}
