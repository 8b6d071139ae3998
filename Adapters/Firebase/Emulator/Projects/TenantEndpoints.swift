internal import LockstepPrimitives

/// Firebase's `projects.tenants.create`.
struct CreateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let created = try request.scopes.created(
            project: request.scope.project, tenant: request.newID(), config: TenantConfig.made(request.body.members))
        return .object(created.config)
    }
}

/// Firebase's `projects.tenants.get`.
struct GetTenant: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON { .object(request.scope.config) }
}

/// Firebase's `projects.tenants.list`.
struct ListTenants: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let asked = try request.query["pageSize"].map(BatchGet.whole) ?? 0
        let size = asked <= 0 ? 20 : min(asked, 1000)
        let start = request.query["pageToken"] ?? ""
        let tenants = try request.scopes.tenants(of: request.scope.project, after: start, limit: size)
        var response: JSONObject = ["tenants": .array(tenants.map { .object($0.config) })]
        if tenants.count == size { response["nextPageToken"] = tenants.last.map { .string($0.id) } }
        return .object(response)
    }
}

/// Firebase's `projects.tenants.patch`.
struct UpdateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let mask = request.query["updateMask"] ?? ""
        let change = request.body.members
        let config =
            mask.isEmpty
            ? TenantConfig.named(
                TenantConfig.made(change), project: request.scope.project, tenant: request.scope.tenant ?? "")
            : FieldMask(mask).applied(change, to: request.scope.config)
        try request.scopes.setConfig(config, of: request.scope)
        return .object(config)
    }
}

/// `projects.tenants.delete`: deletes its users, codes and sessions too.
struct DeleteTenant: Endpoint {
    let shape = Shape.empty

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.scopes.remove(request.scope)
        return [:]
    }
}

/// The settings of a tenant, as they are read and written.
enum TenantConfig {
    /// A tenant that an administrator creates or replaces: missing settings are off.
    static func made(_ change: JSONObject) -> JSONObject {
        var config: JSONObject = [:]
        config["displayName"] = change["displayName"]
        for name in ["allowPasswordSignup", "enableEmailLinkSignin", "enableAnonymousUser", "disableAuth"] {
            config[name] = .bool(change[name]?.bool ?? false)
        }
        var factors = change["mfaConfig"]?.object ?? [:]
        if factors["state"] == nil { factors["state"] = "DISABLED" }
        if factors["enabledProviders"] == nil { factors["enabledProviders"] = [] }
        config["mfaConfig"] = .object(factors)
        return config
    }

    /// A tenant that a request only names: everything is on.
    static let mentioned: JSONObject = [
        "allowPasswordSignup": true, "disableAuth": false, "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        "enableAnonymousUser": true, "enableEmailLinkSignin": true,
    ]

    /// With the names that a tenant has.
    static func named(_ config: JSONObject, project: String, tenant: String) -> JSONObject {
        config.adding(["tenantId": .string(tenant), "name": .string("projects/\(project)/tenants/\(tenant)")])
    }
}
