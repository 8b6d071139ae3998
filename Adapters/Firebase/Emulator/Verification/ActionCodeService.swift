internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Mailed codes: makes and sends them, and carries out their actions.
struct ActionCodeService {
    let request: AuthorizedRequest

    /// Makes a code and mails its link.
    ///
    /// - Parameter domain: the domain of the project's Hosting whose link opens the app; `nil` for a link to the page.
    /// - Parameter failure: what answers the request where the mail cannot be sent.
    @discardableResult
    func send(
        _ kind: ActionCode.Kind, to email: String, newEmail: String? = nil, continueURL: String? = nil, domain: String? = nil,
        isMailed: Bool = true,
        failure: APIError = .outboxUnreachable
    ) throws -> ActionCode {
        let text = request.newToken("action code", bytes: 40)
        let code = ActionCode(
            code: text, kind: kind, email: email, newEmail: newEmail,
            link: link(to: text, kind, continueURL: continueURL, domain: domain),
            createdAt: request.now)
        try request.db.insert(code, in: request.scope)
        if isMailed {
            let sender = "noreply@\(request.state.project).firebaseapp.com"
            request.context.send(.mail(code.mail(from: sender)), failure: failure)
        }
        return code
    }

    private func link(to code: String, _ kind: ActionCode.Kind, continueURL: String?, domain: String?) -> String {
        var query = [
            (name: "mode", value: kind.mode ?? ""), (name: "lang", value: "en"), (name: "oobCode", value: code),
            (name: "apiKey", value: request.settings.apiKey),
        ]
        if let continueURL { query.append((name: "continueUrl", value: continueURL)) }
        if let tenant = request.scope.tenant { query.append((name: "tenantId", value: tenant)) }
        let path = request.settings.mode == .strict ? ActionPage.path : "/emulator/action"
        // Never the host of a request, which the caller can choose.
        let page = request.state.environment.base + path + "?" + Percent.encodeForm(query)
        // The app's system opens the app for this path of the domain, and the app reads the inner link.
        guard request.settings.mode == .strict, let domain else { return page }
        return "https://\(domain)/__/auth/links?" + Percent.encodeForm([(name: "link", value: page)])
    }

    /// The code, if it is open and not too old.
    func open(_ text: String) throws -> ActionCode {
        let code = try request.require(try request.db.actionCode(text, in: request.scope), .invalidOobCode)
        if let lifetime = code.kind.lifetime(request.settings.lifetimes) {
            try request.require(request.now - code.createdAt <= lifetime, .expiredOobCode)
        }
        return code
    }

    /// Applies a mailed code: verifies, changes or recovers an address.
    func apply(_ text: String) throws -> JSON {
        let code = try open(text)
        guard [.verifyEmail, .changeEmail, .recoverEmail].contains(code.kind) else {
            throw request.settings.mode == .strict ? APIError.refused(.invalidOobCode) : .notImplemented(code.kind.rawValue)
        }
        // Every attempt uses the code up, failed ones too.
        try request.db.remove(code, in: request.scope)
        return .object(try APIError.keepingChanges { try apply(code) })
    }

    private func apply(_ code: ActionCode) throws -> JSONObject {
        let (scope, isStrict) = (request.scope, request.settings.mode == .strict)
        let found =
            try code.kind == .recoverEmail
            ? request.db.user(initialEmail: code.email, in: scope) : request.db.user(email: code.email, in: scope)
        var user = try request.require(found, .invalidOobCode)
        let email = code.newEmail ?? code.email
        if code.kind != .verifyEmail {
            try request.require(try request.db.user(email: email, in: scope) == nil, .emailExists)
        }
        user.email = email
        user.emailVerified = true
        if isStrict, code.kind != .verifyEmail {
            // https://firebase.google.com/docs/auth/admin/manage-sessions: a major change revokes sessions.
            user.validSince = request.now.seconds
        }
        let isReplaced = isStrict && code.kind == .changeEmail
        if isReplaced, user.initialEmail == nil { user.initialEmail = code.email }
        user.settleIdentities()
        try request.db.update(user, in: scope)
        // Production notifies the former address, with a link that reverts the change (template "Email address change"); the change
        // stands without it.
        if isReplaced, let former = user.initialEmail {
            try send(.recoverEmail, to: former, failure: .inside("unreachable").keepingChanges)
        }
        return request.accountInfo(user, newEmail: code.newEmail)
    }

    /// Sets the password; without a new password, returns the purpose of the code.
    func resetPassword(code text: String, _ newPassword: String?) throws -> JSONObject {
        let code = try open(text)
        guard let newPassword else { return code.purpose }
        try request.require(code.kind == .passwordReset, .invalidOobCode)
        try request.passwords.requireStrength(newPassword)
        let password = try request.passwords.hash(newPassword)
        // The code is used up even where the user has been deleted.
        try request.db.remove(code, in: request.scope)
        guard var user = try request.db.user(email: code.email, in: request.scope) else {
            throw APIError.refused(.invalidOobCode).keepingChanges
        }
        user.emailVerified = true
        user.setPassword(password, at: request.now)
        user.settleIdentities(removing: (user.identities ?? []).map(\.providerID))
        try request.db.update(user, in: request.scope)
        try request.db.forgetFailures(of: user, in: request.scope)
        return code.purpose
    }
}

extension ActionCode {
    /// The answer that says what a code is for.
    fileprivate var purpose: JSONObject {
        var response: JSONObject = ["kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(kind.rawValue)]
        // The caller of a sign-in link must name its address.
        if kind != .emailSignIn { response["email"] = .string(email) }
        response["newEmail"] = newEmail.map(JSON.string)
        return response
    }
}

/// `accounts:resetPassword`: returns the purpose of a code, or sets a new password with it.
struct ResetPassword: Endpoint {
    let shape = Shape.resetPassword

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        try request.require(request.rules.methods.contains(.password), .passwordLoginDisabled)
        return .object(
            try request.actionCodes.resetPassword(
                code: try request.require(body.given("oobCode"), .missingOobCode), body.given("newPassword")))
    }
}
