internal import LockstepEmulation
internal import LockstepSQLite

/// `POST /token`: one path, a grant by the query's `grant_type`.
struct TokenEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.token)
        let isForm = turn.request.mediaType == "application/x-www-form-urlencoded"
        let grant = turn.request.query["grant_type"] ?? (isForm ? turn.request.form()["grant_type"] : nil)
        switch grant {
        case "password": return try PasswordGrant().answer(&turn, &db)
        case "refresh_token": return try RefreshGrant().answer(&turn, &db)
        case "pkce": return try ProofGrant().answer(&turn, &db)
        case "id_token": return try IDTokenGrant().answer(&turn, &db)
        case "web3":
            _ = try Body(of: turn.request, as: BodyShape("Web3GrantParams", []))
            throw GoTrueError.unprocessable(.web3ProviderDisabled, "Web3 provider is disabled")
        default: throw GoTrueError.bad(.invalidCredentials, "unsupported_grant_type")
        }
    }
}
