internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The callers that an endpoint accepts.
enum Access: Sendable {
    /// An app with an API key, or an administrator with a bearer token; neither if the tenant is disabled.
    case app
    /// The same callers as `app`, and the body must contain the project.
    case transfer
    /// An app with an API key, unless the tenant is disabled. Bearer tokens are parsed but grant nothing.
    case key
    /// The same callers as `key`, even if the tenant is disabled; the body may be a form.
    case keyWithForm
    /// The same callers as ``app``, even if the tenant is disabled.
    case administration
    /// Anyone, as an administrator.
    case open
    /// A person who opens a page, without credentials.
    ///
    /// The form or the query contains the tenant.
    case page
    /// Anyone; the response does not depend on a project.
    case server
}

extension Access {
    /// Whether a bearer token makes the caller an administrator.
    fileprivate var takesBearers: Bool { [.app, .transfer, .administration].contains(self) }

    /// Whether a tenant that is switched off rejects the call.
    fileprivate var needsOpenTenant: Bool { [.app, .transfer, .key].contains(self) }
}

/// The values of a request except its rows.
struct Call: Sendable {
    /// The sender of a request, by its credentials.
    enum Caller: Sendable {
        /// An app with an API key.
        case client
        /// A server with a bearer token.
        case administrator
    }

    var caller: Caller
    var body = Body()
    /// The ID token in the body, parsed but not verified.
    var idToken: UnverifiedToken?
    /// The project in the request; `nil` for the project of the settings.
    var project: String?
    /// The tenant in the path, the body and the ID token.
    var tenant: String?
    /// The project or tenant in the tables.
    var scope = ProjectScope.nowhere
}

extension ServerState {
    /// The call of an administrator in this process.
    var ownCall: Call { Call(caller: .administrator) }

    /// Checks everything that needs no table: the credentials, the body, and whether the path, the body and the ID
    /// token contain the same tenant.
    func call(of request: EmulatorRequest, to endpoint: Endpoint, _ settings: FirebaseSettings) throws -> Call {
        switch endpoint.access {
        case .server: return Call(caller: .client)
        case .page: return Self.page(request)
        case .app, .transfer, .key, .keyWithForm, .administration, .open: break
        }
        let reader = BodyReader(mode: mode, takesForms: endpoint.access == .keyWithForm)
        // Firebase's emulator finds the project of a transfer before it checks the credentials.
        let transferred = endpoint.access == .transfer ? try reader.project(of: request) : ""
        var call = Call(caller: try caller(of: request, endpoint.access))
        call.body = try reader.body(of: request, endpoint.body)
        var project = request[placeholder: "project"]
        if project.isEmpty { project = transferred }
        if project.isEmpty, endpoint.access != .open { project = call.body.given("targetProjectId") ?? "" }
        if !project.isEmpty, endpoint.access.takesBearers, call.caller != .administrator {
            throw APIError.refused(.insufficientPermission, "Only authenticated requests can specify target_project_id.")
        }
        call.project = project.isEmpty ? nil : project
        call.idToken = call.body.given("idToken").flatMap { mode == .strict ? try? UnverifiedToken($0) : OpenToken.foreign($0) }
        call.tenant = request[placeholder: "tenant"].isEmpty ? nil : request[placeholder: "tenant"]
        for named in [call.body.given("tenantId"), call.idToken?.claims["firebase"]?["tenant"]?.string] {
            guard let named, !named.isEmpty else { continue }
            if let tenant = call.tenant, tenant != named { throw APIError.refused(.tenantMismatch) }
            call.tenant = named
        }
        return call
    }

    /// Finds the project and the tenant in the tables.
    ///
    /// - Throws: In strict mode, an error for a tenant that was never created: `TENANT_NOT_FOUND` for an administrator,
    ///   `INVALID_TENANT_ID` for an app (https://github.com/firebase/firebase-js-sdk/issues/5624). If the caller's own
    ///   token contains the tenant, the error is `INVALID_ID_TOKEN`, because the session then belongs to no user.
    ///   Emulator mode creates the tenant, as Firebase's emulator does.
    func admit(_ context: RequestContext, to endpoint: Endpoint) throws {
        if endpoint.access == .server { return }
        var tenant = context.call.tenant
        if let token = context.body.given("refreshToken"), let tokens = try sessionTenant(of: token, context) {
            if let tenant, tenant != tokens {
                throw APIError.refused(
                    sentence: "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
            }
            tenant = tokens
        }
        let project = context.call.project ?? context.settings.project
        if context.settings.refusesOtherProjects, project != context.settings.project {
            let own = "This server is in single project mode, and has \(context.settings.project) only."
            throw APIError.refused(.invalidProjectID, own)
        }
        if mode == .strict, tenant != nil, try !context.scopes.has(project: project, tenant: tenant) {
            if context.isAdministrator { throw APIError.refused(.tenantNotFound) }
            let isOfToken = context.call.idToken?.claims["firebase"]?["tenant"]?.string == tenant
            throw APIError.refused(isOfToken ? .invalidIDToken : .invalidTenant)
        }
        context.call.scope = try context.scopes.named(project: project, tenant: tenant)
        if endpoint.access.needsOpenTenant { try context.requireOpen() }
    }

    /// Returns the call of a page.
    ///
    /// A page has no JSON, so the pairs of its form are its body.
    private static func page(_ request: EmulatorRequest) -> Call {
        var call = Call(caller: .client)
        let form = request.method == "POST" ? request.form() : Parameters()
        // The first pair with a name is used.
        call.body = Body(JSONObject(form.pairs.reversed().map { ($0.name, .string($0.value)) }))
        // When they open a page, the SDKs call it `tid`.
        let named = form["tenantId"] ?? request.query["tenantId"] ?? request.query["tid"]
        call.tenant = named.flatMap { $0.isEmpty ? nil : $0 }
        return call
    }

    private func caller(of request: EmulatorRequest, _ access: Access) throws(APIError) -> Call.Caller {
        if access == .open { return .administrator }
        if access.takesBearers, let value = request.headers["authorization"],
            value.lowercased().hasPrefix("bearer ")
        {
            let token = String(value.dropFirst("bearer ".count))
            let isOwner =
                environment.ownerToken.map { $0 == Secret(token) } ?? (token.lowercased() == "owner" || token.hasPrefix("ya29."))
            guard isOwner else { throw .badBearer }
            return .administrator
        }
        let key = request.query["key"] ?? request.headers["x-goog-api-key"]
        guard let key, !key.isEmpty else { throw .noKey }
        return .client
    }

    private func sessionTenant(of token: String, _ context: RequestContext) throws -> String? {
        let session = try Session.find(token, context)
        // Firebase's emulator parses the token before it checks anything else.
        if session == nil, mode == .emulator { throw APIError.refused(.invalidRefreshToken) }
        return session?.tenant
    }
}
