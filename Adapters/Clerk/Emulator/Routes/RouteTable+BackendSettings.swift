import LockstepEmulation
import LockstepPrimitives

/// The routes of the instance's settings, lists and addresses in the Backend API.
extension RouteTable.Backend {
    static var settings: [Endpoint] { instanceSettings + lists + addresses }

    private static var instanceSettings: [Endpoint] {
        [
            .get("/jwks", .server, .repeatsReading) { try InstanceRoutes(context: $0).keys() },
            .get("/instance", .server, .writes) { try AdminInstanceRoutes(context: $0).get() },
            .patch("/instance", .server, body: AdminInstanceRoutes.updateBody) { try AdminInstanceRoutes(context: $0).update() },
            .patch("/instance/restrictions", .server, body: AdminInstanceRoutes.updateRestrictionsBody) {
                try AdminInstanceRoutes(context: $0).updateRestrictions()
            },
            .get("/instance/protect", .server) { try AdminInstanceRoutes(context: $0).protect() },
            .patch("/instance/protect", .server, body: ["rules_enabled": .flag, "specter_enabled": .flag]) {
                try AdminInstanceRoutes(context: $0).updateProtect()
            },
            .get("/instance/communication", .server) { try AdminInstanceRoutes(context: $0).communication() },
            .patch("/instance/communication", .server, body: ["blocked_country_codes": .anything]) {
                try AdminInstanceRoutes(context: $0).updateCommunication()
            },
            .get("/instance/organization_settings", .server, .writes) { try AdminInstanceRoutes(context: $0).organizations() },
            .patch("/instance/organization_settings", .server, body: AdminInstanceRoutes.updateOrganizationsBody) {
                try AdminInstanceRoutes(context: $0).updateOrganizations()
            },
            .patch("/beta_features/instance_settings", .server, body: AdminInstanceRoutes.updateAuthConfigBody) {
                try AdminInstanceRoutes(context: $0).updateAuthConfig()
            },
            .post("/instance/change_domain", .server) { try AdminInstanceRoutes(context: $0).productionOnly() },
            .put("/beta_features/domain", .server) { try AdminInstanceRoutes(context: $0).productionOnly() },
        ]
    }

    private static var lists: [Endpoint] {
        [
            .get("/allowlist_identifiers", .server) { try AdminRestrictionRoutes(context: $0, list: .allow).all() },
            .post("/allowlist_identifiers", .server, body: ["identifier": .text, "notify": .flag]) {
                try AdminRestrictionRoutes(context: $0, list: .allow).create()
            },
            .delete("/allowlist_identifiers/{identifier_id}", .server) {
                try AdminRestrictionRoutes(context: $0, list: .allow).delete()
            },
            .get("/blocklist_identifiers", .server) { try AdminRestrictionRoutes(context: $0, list: .block).all() },
            .post("/blocklist_identifiers", .server, body: ["identifier": .text]) {
                try AdminRestrictionRoutes(context: $0, list: .block).create()
            },
            .delete("/blocklist_identifiers/{identifier_id}", .server) {
                try AdminRestrictionRoutes(context: $0, list: .block).delete()
            },
        ]
    }

    private static var addresses: [Endpoint] {
        [
            .get("/redirect_urls", .server) { try AdminRedirectURLRoutes(context: $0).list() },
            .post("/redirect_urls", .server, body: ["url": .text]) { try AdminRedirectURLRoutes(context: $0).create() },
            .get("/redirect_urls/{id}", .server) { try AdminRedirectURLRoutes(context: $0).get() },
            .delete("/redirect_urls/{id}", .server) { try AdminRedirectURLRoutes(context: $0).delete() },
            .post("/proxy_checks", .server, body: ["domain_id": .text, "proxy_url": .text], .repeats) {
                try AdminInstanceDomainRoutes(context: $0).checkProxy()
            },
            .get("/domains", .server) { try AdminInstanceDomainRoutes(context: $0).list() },
            .post("/domains", .server, body: ["name": .text, "is_satellite": .flag, "proxy_url": .text]) {
                try AdminInstanceDomainRoutes(context: $0).create()
            },
            .patch("/domains/{domain_id}", .server, body: ["name": .text, "proxy_url": .text, "is_secondary": .anything]) {
                try AdminInstanceDomainRoutes(context: $0).update()
            },
            .delete("/domains/{domain_id}", .server) { try AdminInstanceDomainRoutes(context: $0).delete() },
        ]
    }
}
