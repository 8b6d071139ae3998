internal import LockstepPrimitives

/// Firebase's `projects.tenants.create`.
struct CreateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let created = try request.scopes.created(
            project: request.scope.project, tenant: request.newID(), config: try TenantConfig.made(request))
        return TenantConfig.shown(created.config, request)
    }
}

/// Firebase's `projects.tenants.get`.
struct GetTenant: Endpoint {
    let shape = Shape.empty
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON { TenantConfig.shown(request.scope.config, request) }
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
        var response: JSONObject = ["tenants": .array(tenants.map { TenantConfig.shown($0.config, request) })]
        if tenants.count == size { response["nextPageToken"] = tenants.last.map { .string($0.id) } }
        return .object(response)
    }
}

/// Firebase's `projects.tenants.patch`.
struct UpdateTenant: Endpoint {
    let shape = Shape.tenant

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let mask = request.query["updateMask"] ?? ""
        let config =
            try mask.isEmpty
            ? TenantConfig.named(
                TenantConfig.made(request), project: request.scope.project, tenant: request.scope.tenant ?? "")
            : FieldMask(mask).applied(to: request.scope.config, request)
        try request.scopes.setConfig(config, of: request.scope)
        return TenantConfig.shown(config, request)
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
    ///
    /// Firebase's emulator keeps only those that it knows.
    static func made(_ request: AuthorizedRequest) throws(APIError) -> JSONObject {
        let change = request.body.members
        var config: JSONObject = [:]
        if request.settings.mode == .strict {
            try SMSRegions.check(change)
            config = change
            for name in ["name", "tenantId", "hashConfig"] { config[name] = nil }
        }
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

    /// The settings as an administrator reads them.
    static func shown(_ config: JSONObject, _ request: AuthorizedRequest) -> JSON {
        .object(request.settings.mode == .strict ? config.withoutWrittenDefaults : config)
    }

    /// With the names that a tenant has.
    static func named(_ config: JSONObject, project: String, tenant: String) -> JSONObject {
        config.adding(["tenantId": .string(tenant), "name": .string("projects/\(project)/tenants/\(tenant)")])
    }
}
