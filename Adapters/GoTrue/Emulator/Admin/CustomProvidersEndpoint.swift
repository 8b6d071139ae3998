internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/custom-providers`, and every request for one of them: there are none.
struct CustomProvidersEndpoint: FormerEndpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let identifier = context.request[placeholder: "identifier"]
        guard !identifier.isEmpty else {
            guard ["", "oauth2", "oidc"].contains(context.request.query["type"] ?? "") else {
                throw GoTrueError.invalid("type must be either 'oauth2' or 'oidc'")
            }
            return .go(["providers": []] as JSONObject)
        }
        guard identifier.hasPrefix("custom:") else {
            throw GoTrueError.invalid("identifier must start with 'custom:' prefix, e.g. 'custom:\(identifier)'")
        }
        throw GoTrueError.notFound(.customProviderNotFound, "Custom OAuth provider not found")
    }
}
