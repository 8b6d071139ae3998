internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /user`.
struct UserEndpoint: Endpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        guard let audience = context.caller?.claims.audience, !audience.isEmpty, audience == context.audience else {
            throw GoTrueError.invalid("Token audience doesn't match request audience")
        }
        return .go(user.json)
    }
}
