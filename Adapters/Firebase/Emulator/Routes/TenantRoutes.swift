internal import LockstepEmulation
internal import LockstepPrimitives

/// The tenants of a project.
struct TenantRoutes {
    let context: RequestContext

    static let body: BodySchema = [
        "allowPasswordSignup": .flag, "autodeleteAnonymousUsers": .flag, "client": .object, "disableAuth": .flag,
        "displayName": .text, "emailPrivacyConfig": .emailPrivacy, "enableAnonymousUser": .flag, "enableEmailLinkSignin": .flag,
        "hashConfig": .object, "inheritance": .object, "mfaConfig": .factors,
        "mobileLinksConfig": .object, "monitoring": .object, "name": .text,
        "passwordPolicyConfig": .passwordPolicy, "recaptchaConfig": .object, "smsRegionConfig": .object,
        "testPhoneNumbers": .map(.text),
    ]

    /// Firebase's `projects.tenants.create`.
    func create() throws -> JSON {
        let created = try context.scopes.created(
            project: context.scope.project, tenant: context.newID(), config: try TenantConfig.made(context))
        return TenantConfig.shown(created.config, context)
    }

    /// Firebase's `projects.tenants.get`.
    func show() throws -> JSON { TenantConfig.shown(context.scope.config, context) }

    /// Firebase's `projects.tenants.list`.
    func list() throws -> JSON {
        let asked = try context.wholeNumber("pageSize")
        let size = asked <= 0 ? 20 : min(asked, 1000)
        let start = context.query["pageToken"] ?? ""
        let tenants = try context.scopes.tenants(of: context.scope.project, after: start, limit: size)
        var response: JSONObject = ["tenants": .array(tenants.map { TenantConfig.shown($0.config, context) })]
        if tenants.count == size { response["nextPageToken"] = tenants.last.map { .string($0.tenant) } }
        return .object(response)
    }

    /// Firebase's `projects.tenants.patch`.
    func update() throws -> JSON {
        let mask = context.query["updateMask"] ?? ""
        let config =
            try mask.isEmpty
            ? TenantConfig.named(
                TenantConfig.made(context), project: context.scope.project, tenant: context.scope.tenant ?? "")
            : FieldMask(mask).applied(to: context.scope.config, context)
        try context.scopes.setConfig(config, of: context.scope)
        return TenantConfig.shown(config, context)
    }

    /// `projects.tenants.delete`: also deletes its users, codes and sessions.
    func delete() throws -> JSON {
        try context.scopes.remove(context.scope)
        return [:]
    }
}
