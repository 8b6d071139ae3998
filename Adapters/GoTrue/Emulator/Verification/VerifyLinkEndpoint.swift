internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /verify`: the link of a mail.
struct VerifyLinkEndpoint: Endpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.verify)
        let type = context.request.query["type"] ?? ""
        let token = context.request.query["token"] ?? ""
        guard !type.isEmpty else { throw GoTrueError.invalid("Verify requires a verification type") }
        guard !token.isEmpty else { throw GoTrueError.invalid("Verify requires a token or a token hash") }
        let target = context.target
        let isProof = token.hasPrefix(CodeHash.proofPrefix)
        var method: AuthenticationMethod?
        if isProof {
            method = AuthenticationMethod(linkType: type)
            guard method != nil else { throw GoTrueError.unhandled }
        }
        do {
            let location = try follow(SentProof(type: type, hash: token), target, method, context)
            return .goRedirect(location, status: 303)
        } catch let error as GoTrueError {
            if case .unhandled = error.form { throw error }
            throw Redirected(
                error: error, location: RedirectResponses.linkError(error, at: target, isProof: isProof), status: 303)
        }
    }

    private func follow(
        _ verification: SentProof, _ target: String, _ method: AuthenticationMethod?, _ context: RequestContext
    ) throws -> String {
        var verification = verification
        let found = try context.verification.user(byLink: &verification)
        guard var user = try context.verification.accept(verification, by: found) else {
            return RedirectResponses.message(Verification.halfConfirmed, at: target, isProof: method != nil)
        }
        if let method {
            guard var flow = try context.db.flow(of: user.id, method), let code = flow.code else {
                throw GoTrueError.bad(
                    .flowStateNotFound, "No associated flow state found. 422: No valid flow state found for user.")
            }
            flow.codeIssuedAt = context.now
            try context.db.save(flow)
            return RedirectResponses.code(code, at: target)
        }
        var session = try context.sessions.open(for: &user, by: .otp)
        session.user = user
        return RedirectResponses.session(session, at: target, extra: [("type", verification.type)])
    }
}
