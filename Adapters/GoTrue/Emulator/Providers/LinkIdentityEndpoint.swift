internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /user/identities/authorize`: sends a signed-in person to a provider, to add it.
struct LinkIdentityEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.askForManualLinking()
        let location = try ProviderRedirect(linkingUserID: turn.user().id).location(&turn, &db)
        if turn.request.query["skip_http_redirect"] == "true" { return .go(["url": .string(location)] as JSONObject) }
        return .goRedirect(location, status: 302)
    }
}
