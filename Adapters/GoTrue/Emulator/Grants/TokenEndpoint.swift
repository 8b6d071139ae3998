internal import LockstepEmulation
internal import LockstepSQLite

/// `POST /token`: one path, a grant by the query's `grant_type`.
struct TokenEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let isForm = context.request.mediaType == "application/x-www-form-urlencoded"
        let grant = context.request.query["grant_type"] ?? (isForm ? context.request.form()["grant_type"] : nil)
        switch grant {
        case "password":
            try context.limits.admit(.token)
            return try PasswordGrant().answer(context)
        case "refresh_token":
            try context.limits.admit(.token)
            return try RefreshGrant().answer(context)
        case "pkce":
            try context.limits.admit(.token)
            return try ProofGrant().answer(context)
        case "id_token":
            try context.limits.admit(.token)
            return try IDTokenGrant().answer(context)
        case "web3":
            try askForCaptcha(context)
            try context.limits.admit(.web3)
            throw GoTrueError.unprocessable(.web3ProviderDisabled, "Web3 provider is disabled")
        default:
            try askForCaptcha(context)
            throw GoTrueError.bad(.invalidCredentials, "unsupported_grant_type")
        }
    }

    /// Unsupported grants require the captcha too.
    private func askForCaptcha(_ context: RequestContext) throws {
        guard context.settings.asksForCaptcha else { return }
        try context.limits.requireCaptcha(try Body(of: context.request, as: BodySchema.go("GotrueRequest", .security)))
    }
}
