internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' routes for custom identity providers: there are none.
struct AdminProviderRoutes {
    let context: RequestContext

    /// Handles `GET /admin/custom-providers`.
    func list() throws -> EmulatorResponse {
        guard ["", "oauth2", "oidc"].contains(context.request.query["type"] ?? "") else {
            throw GoTrueError.invalid("type must be either 'oauth2' or 'oidc'")
        }
        return .go(["providers": []] as JSONObject)
    }

    /// Responds to every request for a custom identity provider.
    func show() throws -> EmulatorResponse {
        let identifier = context.request[placeholder: "identifier"]
        guard identifier.hasPrefix("custom:") else {
            throw GoTrueError.invalid("identifier must start with 'custom:' prefix, e.g. 'custom:\(identifier)'")
        }
        throw GoTrueError.customProviderNotFound
    }
}
