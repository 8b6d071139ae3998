internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /verify`: the link of a mail.
struct VerifyLinkEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.verify)
        let type = turn.request.query["type"] ?? ""
        let token = turn.request.query["token"] ?? ""
        guard !type.isEmpty else { throw GoTrueError.invalid("Verify requires a verification type") }
        guard !token.isEmpty else { throw GoTrueError.invalid("Verify requires a token or a token hash") }
        let target = turn.target
        let isProof = token.hasPrefix(CodeHash.proofPrefix)
        var method: AuthenticationMethod?
        if isProof {
            method = AuthenticationMethod(linkType: type)
            guard method != nil else { throw GoTrueError.unhandled }
        }
        do {
            let location = try follow(Verification(type: type, hash: token), target, method, &turn, &db)
            return .goRedirect(location, status: 303)
        } catch let error as GoTrueError {
            if case .unhandled = error.form { throw error }
            throw Redirected(error: error, location: RedirectAnswers.linkError(error, at: target, isProof: isProof), status: 303)
        }
    }

    private func follow(
        _ verification: Verification, _ target: String, _ method: AuthenticationMethod?, _ turn: inout Turn,
        _ db: inout SQLiteConnection
    ) throws -> String {
        var verification = verification
        let found = try turn.user(byLink: &verification, &db)
        guard var user = try turn.accept(verification, by: found, &db) else {
            return RedirectAnswers.message(Turn.halfConfirmed, at: target, isProof: method != nil)
        }
        if let method {
            guard var flow = try db.flow(of: user.id, method), let code = flow.code else {
                throw GoTrueError.bad(
                    .flowStateNotFound, "No associated flow state found. 422: No valid flow state found for user.")
            }
            flow.codeIssuedAt = turn.now
            try db.save(flow)
            return RedirectAnswers.code(code, at: target)
        }
        var session = try turn.openSession(for: &user, by: .otp, &db)
        session.user = user
        return RedirectAnswers.session(session, at: target, extra: [("type", verification.type)])
    }
}
