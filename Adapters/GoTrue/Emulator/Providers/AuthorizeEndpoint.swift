internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /authorize`: sends a person to a provider.
struct AuthorizeEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        .goRedirect(try ProviderRedirect(linkingUserID: nil).location(&turn, &db), status: 302)
    }
}
