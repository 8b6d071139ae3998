internal import LockstepEmulation
internal import LockstepSQLite

/// `POST /token`: one path, a grant by the query's `grant_type`.
struct TokenEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        let isForm = turn.request.mediaType == "application/x-www-form-urlencoded"
        let grant = turn.request.query["grant_type"] ?? (isForm ? turn.request.form()["grant_type"] : nil)
        switch grant {
        case "password":
            try turn.limit(.token)
            return try PasswordGrant().answer(&turn, &db)
        case "refresh_token":
            try turn.limit(.token)
            return try RefreshGrant().answer(&turn, &db)
        case "pkce":
            try turn.limit(.token)
            return try ProofGrant().answer(&turn, &db)
        case "id_token":
            try turn.limit(.token)
            return try IDTokenGrant().answer(&turn, &db)
        case "web3":
            try askForCaptcha(turn)
            try turn.limit(.web3)
            throw GoTrueError.unprocessable(.web3ProviderDisabled, "Web3 provider is disabled")
        default:
            try askForCaptcha(turn)
            throw GoTrueError.bad(.invalidCredentials, "unsupported_grant_type")
        }
    }

    /// Unsupported grants require the captcha too.
    private func askForCaptcha(_ turn: Turn) throws {
        guard turn.settings.asksForCaptcha else { return }
        try turn.askForCaptcha(try Body(of: turn.request, as: BodyShape("GotrueRequest", [BodyShape.security])))
    }
}
