internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// Checks the credentials and the body of requests to one endpoint, and finds their project and tenant.
struct EndpointAuthorizer: Sendable {
    enum Access: Sendable {
        /// An API key, or an administrator's bearer token.
        case keyOrAdministrator
        /// An API key only; bearer tokens are parsed and grant nothing.
        case keyOnly
        /// No credentials.
        case open
    }

    let shape: Shape
    let access: Access
    let mode: FirebaseMode
    /// Whether a form is taken, too.
    var takesForms = false

    /// What a request says itself, without the tables.
    struct Claim: Sendable {
        fileprivate let caller: ServerState.Caller
        fileprivate let body: Body
        fileprivate let idToken: UnverifiedToken?
        /// `nil` for the project of the settings.
        fileprivate let project: String?
        fileprivate let tenant: String?
    }

    /// Checks what needs no table: credentials, body, and whether path, body and ID token agree on the tenant.
    ///
    /// - Parameter named: the project, where the request names it in a way of its own.
    func claim(of request: EmulatorRequest, project named: String? = nil) throws(APIError) -> Claim {
        let caller = try caller(of: request)
        let body = try body(of: request)
        var project = request[placeholder: "project"]
        if project.isEmpty { project = named ?? "" }
        if project.isEmpty, access != .open { project = body.given("targetProjectId") ?? "" }
        if !project.isEmpty, access == .keyOrAdministrator, caller != .administrator {
            throw .refused(.insufficientPermission, "Only authenticated requests can specify target_project_id.")
        }
        let idToken = body.given("idToken").flatMap { mode == .strict ? try? UnverifiedToken($0) : OpenToken.foreign($0) }
        var tenant = request[placeholder: "tenant"].isEmpty ? nil : request[placeholder: "tenant"]
        for named in [body.given("tenantId"), idToken?.claims["firebase"]?["tenant"]?.string] {
            guard let named, !named.isEmpty else { continue }
            if let tenant, tenant != named { throw .refused(.tenantMismatch) }
            tenant = named
        }
        return Claim(caller: caller, body: body, idToken: idToken, project: project.isEmpty ? nil : project, tenant: tenant)
    }

    /// Finds project and tenant in the tables.
    ///
    /// - Throws: in strict mode for a tenant that was never created: `TENANT_NOT_FOUND` to an administrator, `INVALID_TENANT_ID` to an app
    ///   (https://github.com/firebase/firebase-js-sdk/issues/5624), and `INVALID_ID_TOKEN` where the caller's own token names it: such a session is
    ///   of no user any more. Emulator mode creates it, as Firebase's emulator does.
    func authorize(_ claim: Claim, _ context: RequestContext) throws -> AuthorizedRequest {
        var tenant = claim.tenant
        if let token = claim.body.given("refreshToken"), let tokens = try sessionTenant(of: token, context) {
            if let tenant, tenant != tokens {
                throw APIError.refused(
                    sentence: "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
            }
            tenant = tokens
        }
        let project = claim.project ?? context.settings.project
        if context.settings.refusesOtherProjects, project != context.settings.project {
            let own = "This server is in single project mode, and has \(context.settings.project) only."
            throw APIError.refused(.invalidProjectID, own)
        }
        let scopes = ProjectScopeRepository(context: context)
        if mode == .strict, tenant != nil, try !scopes.has(project: project, tenant: tenant) {
            if claim.caller == .administrator { throw APIError.tenantNotFound }
            let isOfToken = claim.idToken?.claims["firebase"]?["tenant"]?.string == tenant
            throw APIError.refused(isOfToken ? .invalidIDToken : .invalidTenant)
        }
        return AuthorizedRequest(
            context: context, scope: try scopes.named(project: project, tenant: tenant),
            caller: claim.caller, body: claim.body, idToken: claim.idToken)
    }

    /// A person opens a page: no credentials, no body; the form or the query names the tenant.
    static func page(_ context: RequestContext, form: Parameters? = nil) throws -> AuthorizedRequest {
        // The SDKs call it `tid` where they open a page.
        let named = form?["tenantId"] ?? context.request.query["tenantId"] ?? context.request.query["tid"]
        let tenant = named.flatMap { $0.isEmpty ? nil : $0 }
        let (scopes, project) = (ProjectScopeRepository(context: context), context.settings.project)
        if context.settings.mode == .strict, tenant != nil, try !scopes.has(project: project, tenant: tenant) {
            throw APIError.refused(.invalidTenant)
        }
        return AuthorizedRequest(
            context: context, scope: try scopes.named(project: project, tenant: tenant),
            caller: .client, body: Body(), idToken: nil)
    }

    private func caller(of request: EmulatorRequest) throws(APIError) -> ServerState.Caller {
        guard access != .open else { return .administrator }
        if access == .keyOrAdministrator, let value = request.headers["authorization"],
            value.lowercased().hasPrefix("bearer ")
        {
            let token = String(value.dropFirst("bearer ".count))
            guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { throw .badBearer }
            return .administrator
        }
        let key = request.query["key"] ?? request.headers["x-goog-api-key"]
        guard let key, !key.isEmpty else { throw .noKey }
        return .client
    }

    private func body(of request: EmulatorRequest) throws(APIError) -> Body {
        guard ["POST", "PATCH", "PUT"].contains(request.method) else { return Body() }
        if request.body.isEmpty { return Body(try shape.taking([:], at: "", knowsAll: false).object ?? [:]) }
        let value: JSON
        switch request.mediaType {
        case "application/json", "":
            do {
                value = try JSON.parse(request.body)
            } catch {
                throw .badPayload("\(error)", reason: "parseError")
            }
        case "application/x-www-form-urlencoded" where takesForms:
            value = .object(JSONObject(request.form().pairs.map { ($0.name, .string($0.value)) }))
        case let type: throw .badContentType(type)
        }
        return Body(try shape.taking(value, at: "", knowsAll: mode == .strict).object ?? [:])
    }

    private func sessionTenant(of token: String, _ context: RequestContext) throws -> String? {
        let session = try Session.find(token, context)
        // Firebase's emulator parses the token before it checks anything else.
        if session == nil, mode == .emulator { throw APIError.refused(.invalidRefreshToken) }
        return session?.tenant
    }
}
