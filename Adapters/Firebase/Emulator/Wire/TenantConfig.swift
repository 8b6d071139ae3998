internal import LockstepPrimitives

/// The settings of a tenant, as they are read and written.
enum TenantConfig {
    /// Returns the settings of a tenant that an administrator creates or replaces: missing settings are off.
    ///
    /// Firebase's emulator keeps only the settings that it knows.
    static func made(_ context: RequestContext) throws(APIError) -> JSONObject {
        let change = context.body.members
        var config: JSONObject = [:]
        if context.isStrict {
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

    /// A tenant that exists only in a request: everything is on.
    static let mentioned: JSONObject = [
        "allowPasswordSignup": true, "disableAuth": false, "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        "enableAnonymousUser": true, "enableEmailLinkSignin": true,
    ]

    /// Returns the settings as an administrator reads them.
    static func shown(_ config: JSONObject, _ context: RequestContext) -> JSON {
        .object(context.isStrict ? config.withoutWrittenDefaults : config)
    }

    /// Returns the settings with the names of a tenant.
    static func named(_ config: JSONObject, project: String, tenant: String) -> JSONObject {
        config.adding(["tenantId": .string(tenant), "name": .string("projects/\(project)/tenants/\(tenant)")])
    }
}
