import LockstepEmulation
import LockstepPrimitives

/// The routes of the instance's settings, lists and addresses in the Backend API.
extension RouteTable.Backend {
    static var settings: [Endpoint] { instanceSettings + lists + addresses }

    private static var instanceSettings: [Endpoint] {
        [
            .get("/jwks", .server, .repeatsReading) { try InstancePages(context: $0).keys() },
            .get("/instance", .server, .writes) { try BackendInstanceRoutes(context: $0).get() },
            .patch("/instance", .server, body: BackendInstanceRoutes.updateBody) {
                try BackendInstanceRoutes(context: $0).update()
            },
            .patch("/instance/restrictions", .server, body: BackendInstanceRoutes.updateRestrictionsBody) {
                try BackendInstanceRoutes(context: $0).updateRestrictions()
            },
            .get("/instance/protect", .server) { try BackendInstanceRoutes(context: $0).protect() },
            .patch("/instance/protect", .server, body: ["rules_enabled": .anything, "specter_enabled": .anything]) {
                try BackendInstanceRoutes(context: $0).updateProtect()
            },
            .get("/instance/communication", .server) { try BackendInstanceRoutes(context: $0).communication() },
            .patch("/instance/communication", .server, body: ["blocked_country_codes": .anything]) {
                try BackendInstanceRoutes(context: $0).updateCommunication()
            },
            .get("/instance/organization_settings", .server, .writes) { try BackendInstanceRoutes(context: $0).organizations() },
            .patch("/instance/organization_settings", .server, body: BackendInstanceRoutes.updateOrganizationsBody) {
                try BackendInstanceRoutes(context: $0).updateOrganizations()
            },
            .patch("/beta_features/instance_settings", .server, body: BackendInstanceRoutes.updateAuthConfigBody) {
                try BackendInstanceRoutes(context: $0).updateAuthConfig()
            },
            .post("/instance/change_domain", .server) { try BackendInstanceRoutes(context: $0).productionOnly() },
            .put("/beta_features/domain", .server) { try BackendInstanceRoutes(context: $0).productionOnly() },
        ]
    }

    private static var lists: [Endpoint] {
        [
            .get("/allowlist_identifiers", .server) { try BackendRestrictionRoutes(context: $0, list: .allow).all() },
            .post("/allowlist_identifiers", .server, body: ["identifier": .text, "notify": .flag]) {
                try BackendRestrictionRoutes(context: $0, list: .allow).create()
            },
            .delete("/allowlist_identifiers/{identifier_id}", .server) {
                try BackendRestrictionRoutes(context: $0, list: .allow).delete()
            },
            .get("/blocklist_identifiers", .server) { try BackendRestrictionRoutes(context: $0, list: .block).all() },
            .post("/blocklist_identifiers", .server, body: ["identifier": .text]) {
                try BackendRestrictionRoutes(context: $0, list: .block).create()
            },
            .delete("/blocklist_identifiers/{identifier_id}", .server) {
                try BackendRestrictionRoutes(context: $0, list: .block).delete()
            },
        ]
    }

    private static var addresses: [Endpoint] {
        [
            .get("/redirect_urls", .server) { try BackendRedirectURLRoutes(context: $0).list() },
            .post("/redirect_urls", .server, body: ["url": .text]) { try BackendRedirectURLRoutes(context: $0).create() },
            .get("/redirect_urls/{id}", .server) { try BackendRedirectURLRoutes(context: $0).get() },
            .delete("/redirect_urls/{id}", .server) { try BackendRedirectURLRoutes(context: $0).delete() },
            .post("/proxy_checks", .server, body: ["domain_id": .text, "proxy_url": .text], .repeats) {
                try BackendInstanceDomainRoutes(context: $0).checkProxy()
            },
            .get("/domains", .server) { try BackendInstanceDomainRoutes(context: $0).list() },
            .post("/domains", .server, body: ["name": .text, "is_satellite": .flag, "proxy_url": .text]) {
                try BackendInstanceDomainRoutes(context: $0).create()
            },
            .patch("/domains/{domain_id}", .server, body: ["name": .text, "proxy_url": .text, "is_secondary": .anything]) {
                try BackendInstanceDomainRoutes(context: $0).update()
            },
            .delete("/domains/{domain_id}", .server) { try BackendInstanceDomainRoutes(context: $0).delete() },
        ]
    }
}
