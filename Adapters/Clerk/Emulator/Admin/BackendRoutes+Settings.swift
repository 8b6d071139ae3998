import LockstepPrimitives

/// The routes of the instance's settings, lists and addresses in the Backend API.
extension BackendRoutes {
    static var settings: [Route] { instanceSettings + lists + addresses + enterprise }

    private static var instanceSettings: [Route] {
        [
            ("GET", "/instance", { try BackendInstanceRoutes(call: $0).get() }),
            ("PATCH", "/instance", { try BackendInstanceRoutes(call: $0).update() }),
            ("PATCH", "/instance/restrictions", { try BackendInstanceRoutes(call: $0).updateRestrictions() }),
            ("GET", "/instance/protect", { try BackendInstanceRoutes(call: $0).protect() }),
            ("PATCH", "/instance/protect", { try BackendInstanceRoutes(call: $0).updateProtect() }),
            ("GET", "/instance/communication", { try BackendInstanceRoutes(call: $0).communication() }),
            ("PATCH", "/instance/communication", { try BackendInstanceRoutes(call: $0).updateCommunication() }),
            ("GET", "/instance/organization_settings", { try BackendInstanceRoutes(call: $0).organizations() }),
            ("PATCH", "/instance/organization_settings", { try BackendInstanceRoutes(call: $0).updateOrganizations() }),
            ("PATCH", "/beta_features/instance_settings", { try BackendInstanceRoutes(call: $0).updateAuthConfig() }),
            ("POST", "/instance/change_domain", { try BackendInstanceRoutes(call: $0).productionOnly() }),
            ("PUT", "/beta_features/domain", { try BackendInstanceRoutes(call: $0).productionOnly() }),
        ]
    }

    private static var lists: [Route] {
        [
            ("GET", "/allowlist_identifiers", { try BackendRestrictionRoutes(call: $0, list: .allow).all() }),
            ("POST", "/allowlist_identifiers", { try BackendRestrictionRoutes(call: $0, list: .allow).create() }),
            (
                "DELETE", "/allowlist_identifiers/{identifier_id}",
                { try BackendRestrictionRoutes(call: $0, list: .allow).delete() }
            ),
            ("GET", "/blocklist_identifiers", { try BackendRestrictionRoutes(call: $0, list: .block).all() }),
            ("POST", "/blocklist_identifiers", { try BackendRestrictionRoutes(call: $0, list: .block).create() }),
            (
                "DELETE", "/blocklist_identifiers/{identifier_id}",
                { try BackendRestrictionRoutes(call: $0, list: .block).delete() }
            ),
        ]
    }

    private static var enterprise: [Route] {
        let one = "/enterprise_connections/{enterprise_connection_id}"
        return [
            ("GET", "/enterprise_connections", { try BackendEnterpriseRoutes(call: $0).list() }),
            ("POST", "/enterprise_connections", { try BackendEnterpriseRoutes(call: $0).create() }),
            ("GET", one, { try BackendEnterpriseRoutes(call: $0).get() }),
            ("PATCH", one, { try BackendEnterpriseRoutes(call: $0).update() }),
            ("DELETE", one, { try BackendEnterpriseRoutes(call: $0).delete() }),
            ("GET", one + "/test_runs", { try BackendEnterpriseRoutes(call: $0).testRuns() }),
            ("POST", one + "/test_runs", { try BackendEnterpriseRoutes(call: $0).createTestRun() }),
        ]
    }

    private static var addresses: [Route] {
        [
            ("GET", "/redirect_urls", { try BackendRedirectURLRoutes(call: $0).list() }),
            ("POST", "/redirect_urls", { try BackendRedirectURLRoutes(call: $0).create() }),
            ("GET", "/redirect_urls/{id}", { try BackendRedirectURLRoutes(call: $0).get() }),
            ("DELETE", "/redirect_urls/{id}", { try BackendRedirectURLRoutes(call: $0).delete() }),
            ("POST", "/webhooks/svix", { try BackendWebhookRoutes(call: $0).create() }),
            ("DELETE", "/webhooks/svix", { try BackendWebhookRoutes(call: $0).delete() }),
            ("POST", "/webhooks/svix_url", { try BackendWebhookRoutes(call: $0).open() }),
            ("POST", "/proxy_checks", { try BackendInstanceDomainRoutes(call: $0).checkProxy() }),
            ("GET", "/domains", { try BackendInstanceDomainRoutes(call: $0).list() }),
            ("POST", "/domains", { try BackendInstanceDomainRoutes(call: $0).create() }),
            ("PATCH", "/domains/{domain_id}", { try BackendInstanceDomainRoutes(call: $0).update() }),
            ("DELETE", "/domains/{domain_id}", { try BackendInstanceDomainRoutes(call: $0).delete() }),
        ]
    }
}
