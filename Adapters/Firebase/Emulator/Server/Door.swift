internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// An operation and the credentials that it requires.
struct Door: Sendable {
    enum Access: Sendable {
        /// An API key, or an administrator's bearer token.
        case keyOrAdministrator
        /// An API key only; bearer tokens are parsed and grant nothing.
        case keyOnly
        /// No credentials.
        case open
    }

    let operation: any Operation
    let access: Access
    /// Whether a form is taken, too.
    var takesForms = false

    /// Checks the request, finds its project and tenant.
    ///
    /// - Parameter named: the project, where the request names it in a way of its own.
    /// - Throws: ``APIError``.
    func call(_ request: EmulatorRequest, project named: String? = nil, _ backend: Backend) throws -> Call {
        let caller = try caller(of: request)
        let body = try body(of: request, knowsAll: backend.mode == .strict)
        let settings = backend.settings
        var project = request[placeholder: "project"]
        if project.isEmpty { project = named ?? "" }
        if project.isEmpty, access != .open { project = body.given("targetProjectId") ?? "" }
        if !project.isEmpty, access == .keyOrAdministrator, caller != .administrator {
            throw APIError.refused(
                .insufficientPermission, "Only authenticated requests can specify target_project_id.")
        }
        let idToken = body.given("idToken").flatMap { try? UnverifiedToken($0) }
        let tenant = try tenant(of: request, body, idToken, backend)
        return Call(
            backend: backend, settings: settings,
            space: try backend.space(project: project.isEmpty ? settings.project : project, tenant: tenant), caller: caller,
            body: body, idToken: idToken, orderedQuery: request.query.pairs)
    }

    /// A person opens a page: no credentials, no body; the query names the tenant.
    func pageCall(_ request: EmulatorRequest, _ backend: Backend, form: Parameters? = nil) throws -> Call {
        let settings = backend.settings
        return Call(
            backend: backend, settings: settings,
            space: try backend.space(project: settings.project, tenant: form?["tenantId"] ?? request.query["tenantId"]),
            caller: .client, body: Body(), idToken: nil, orderedQuery: request.query.pairs)
    }

    private func caller(of request: EmulatorRequest) throws(APIError) -> Call.Caller {
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

    private func body(of request: EmulatorRequest, knowsAll: Bool) throws(APIError) -> Body {
        guard ["POST", "PATCH", "PUT"].contains(request.method) else { return Body() }
        if request.body.isEmpty { return Body(try operation.shape.taking([:], at: "", knowsAll: false).object ?? [:]) }
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
        return Body(try operation.shape.taking(value, at: "", knowsAll: knowsAll).object ?? [:])
    }

    /// The tenant that path, body and tokens agree on.
    private func tenant(of request: EmulatorRequest, _ body: Body, _ idToken: UnverifiedToken?, _ backend: Backend) throws
        -> String?
    {
        var tenant = request[placeholder: "tenant"].isEmpty ? nil : request[placeholder: "tenant"]
        if let named = body.given("tenantId") {
            if let tenant, tenant != named { throw APIError.refused(.tenantMismatch) }
            tenant = named
        }
        if let tokens = idToken?.claims["firebase"]?["tenant"]?.string, !tokens.isEmpty {
            if let tenant, tenant != tokens { throw APIError.refused(.tenantMismatch) }
            tenant = tokens
        }
        if let token = body.given("refreshToken"), let tokens = try sessionTenant(of: token, backend) {
            if let tenant, tenant != tokens {
                throw APIError.refused(
                    sentence: "TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
            }
            tenant = tokens
        }
        return tenant
    }

    private func sessionTenant(of token: String, _ backend: Backend) throws -> String? {
        let session = try backend.store.read { db in try backend.session(of: token, &db) }
        // Firebase's emulator parses the token before it checks anything else.
        if session == nil, backend.mode == .emulator { throw APIError.refused(.invalidRefreshToken) }
        return session?.tenant
    }
}
