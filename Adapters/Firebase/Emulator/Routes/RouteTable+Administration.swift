internal import LockstepEmulation

extension RouteTable {
    /// The routes of administrators for many accounts.
    static let administration: [Endpoint] = [
        .post(scope + "/accounts:batchCreate", .app, body: AdminUserRoutes.importBody, .repeats) {
            try AdminUserRoutes(context: $0).importAll()
        },
        .post(legacy + "/uploadAccount", .transfer, body: AdminUserRoutes.importBody, .repeats) {
            try AdminUserRoutes(context: $0).importAll()
        },
        .get(scope + "/accounts:batchGet", .app, .repeatsReading) { try AdminUserRoutes(context: $0).export() },
        .post(legacy + "/downloadAccount", .transfer, body: AdminUserRoutes.exportBody, .repeatsReading) {
            try AdminUserRoutes(context: $0).export()
        },
        .post(scope + "/accounts:batchDelete", .administration, body: AdminUserRoutes.deleteBody) {
            try AdminUserRoutes(context: $0).delete()
        },
        .post(scope + "/accounts:query", .app, body: AdminUserRoutes.queryBody, .reads) {
            try AdminUserRoutes(context: $0).query()
        },
    ]

    static let projects: [Endpoint] = [
        .get("/v1/projects", .app) { try ProjectRoutes(context: $0).info() },
        .post(legacy + "/getProjectConfig", .app, .reads) { try ProjectRoutes(context: $0).info() },
        .get("/v1/recaptchaParams", .app) { try ProjectRoutes(context: $0).captchaParameters() },
        .post(legacy + "/getRecaptchaParam", .app, .reads) { try ProjectRoutes(context: $0).captchaParameters() },
        .get("/v2/passwordPolicy", .administration) { try ProjectRoutes(context: $0).passwordPolicy() },
        .get("/v2/projects/{project}/config", .administration) { try ProjectRoutes(context: $0).config() },
        .patch("/v2/projects/{project}/config", .administration, body: ProjectRoutes.configBody) {
            try ProjectRoutes(context: $0).updateConfig()
        },
        .post("/v2/projects/{project}/tenants", .administration, body: TenantRoutes.body) {
            try TenantRoutes(context: $0).create()
        },
        .get("/v2/projects/{project}/tenants", .administration) { try TenantRoutes(context: $0).list() },
        .get("/v2/projects/{project}/tenants/{tenant}", .administration) { try TenantRoutes(context: $0).show() },
        .patch("/v2/projects/{project}/tenants/{tenant}", .administration, body: TenantRoutes.body) {
            try TenantRoutes(context: $0).update()
        },
        .delete("/v2/projects/{project}/tenants/{tenant}", .administration) { try TenantRoutes(context: $0).delete() },
    ]

    /// The configurations of identity providers, which Firebase's emulator lacks.
    static let providers: [Endpoint] =
        ProviderConfig.allCases.flatMap { kind -> [Endpoint] in
            let list = "/v2/projects/{project}[/tenants/{tenant}]/\(kind.rawValue)"
            return [
                .get(list, .administration) { try ProviderConfigRoutes(context: $0).list(kind) },
                .post(list, .administration, body: kind.body) { try ProviderConfigRoutes(context: $0).create(kind) },
                .get(list + "/{id}", .administration) { try ProviderConfigRoutes(context: $0).show(kind) },
                .patch(list + "/{id}", .administration, body: kind.body) { try ProviderConfigRoutes(context: $0).update(kind) },
                .delete(list + "/{id}", .administration) { try ProviderConfigRoutes(context: $0).delete(kind) },
            ]
        } + [
            .get("/v2/defaultSupportedIdps", .administration) { ProviderConfigRoutes(context: $0).known() }
        ]

    /// The operations of Firebase to which its emulator responds with 501, by their names in Google's description.
    static let notBuilt: [Endpoint] =
        [
            ("POST", "/v1/accounts:issueSamlResponse", "accounts.issueSamlResponse"),
            ("POST", "/v1/accounts:signInWithGameCenter", "accounts.signInWithGameCenter"),
            ("POST", "/v1/accounts:verifyIosClient", "accounts.verifyIosClient"),
            ("GET", "/v2/recaptchaConfig", "getRecaptchaConfig"),
            (
                "POST", "/v2/projects/{project}/identityPlatform:initializeAuth", "projects.identityPlatform.initializeAuth"
            ),
            ("POST", "/v2/projects/{project}/tenants/{tenant}:getIamPolicy", "projects.tenants.getIamPolicy"),
            ("POST", "/v2/projects/{project}/tenants/{tenant}:setIamPolicy", "projects.tenants.setIamPolicy"),
            ("POST", "/v2/projects/{project}/tenants/{tenant}:testIamPermissions", "projects.tenants.testIamPermissions"),
        ].map { method, path, name in
            Endpoint(method, path, .administration, body: .any, .reads) { _ in
                throw APIError.notImplemented("identitytoolkit.\(name) is not implemented in the Auth Emulator.")
            }
        } + [
            .post(legacy + "/signOutUser", .server, .reads) { _ in
                throw APIError.notImplemented("signOutUser is not implemented in the Auth Emulator.")
            }
        ]
}
