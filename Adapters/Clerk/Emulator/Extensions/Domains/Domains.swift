import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// Domains of organizations: users with an address of such a domain are invited or join
    /// (https://clerk.com/docs/guides/organizations/add-members/verified-domains).
    static let domains = Extension(
        tables: [OrganizationDomainRecord.table.definition], frontend: domainRoutes, backend: backendDomainRoutes,
        offersRead: { try $0.organizationDomains.enroll($1) })

    private static var domainRoutes: [Endpoint] {
        let path = "/v1/organizations/{organization_id}/domains"
        let one = path + "/{domain_id}"
        return [
            .post(path, .user, body: .form("name", "enrollment_mode"), .repeats) {
                try OrganizationDomainRoutes(context: $0).create()
            },
            .get(path, .user, .repeats) { try OrganizationDomainRoutes(context: $0).list() },
            .post(path + "/bulk", .user, body: .form("enrollment_mode", lists: ["names"]), .repeats) {
                try OrganizationDomainRoutes(context: $0).createAll()
            },
            .post(path + "/prepare_ownership_verification/bulk", .user, body: .form(lists: ["organization_domain_ids"]), .repeats)
            { try OrganizationDomainRoutes(context: $0).prepareAllOwnerships() },
            .post(path + "/attempt_ownership_verification/bulk", .user, body: .form(lists: ["organization_domain_ids"]), .repeats)
            { try OrganizationDomainRoutes(context: $0).attemptAllOwnerships() },
            .post(one + "/prepare_ownership_verification", .user, .repeats) {
                try OrganizationDomainRoutes(context: $0).prepareOwnership()
            },
            .post(one + "/attempt_ownership_verification", .user, .repeats) {
                try OrganizationDomainRoutes(context: $0).attemptOwnership()
            },
            .get(one, .user, .repeats) { try OrganizationDomainRoutes(context: $0).get() },
            .delete(one, .user, .repeats) { try OrganizationDomainRoutes(context: $0).delete() },
            .post(one + "/update_enrollment_mode", .user, body: .form("enrollment_mode", "delete_pending"), .repeats) {
                try OrganizationDomainRoutes(context: $0).updateMode()
            },
            .post(one + "/prepare_affiliation_verification", .user, body: .form("affiliation_email_address"), .repeats) {
                try OrganizationDomainRoutes(context: $0).prepareAffiliation()
            },
            .post(one + "/attempt_affiliation_verification", .user, body: .form("code"), .repeats) {
                try OrganizationDomainRoutes(context: $0).attemptAffiliation()
            },
        ]
    }

    private static var backendDomainRoutes: [Endpoint] {
        let one = "/organizations/{organization_id}"
        return [
            .post(one + "/domains", .server, body: ["name": .text, "enrollment_mode": .text, "verified": .flag]) {
                try AdminOrganizationDomainRoutes(context: $0).create()
            },
            .get(one + "/domains", .server, .writes) { try AdminOrganizationDomainRoutes(context: $0).list() },
            .patch(one + "/domains/{domain_id}", .server, body: ["enrollment_mode": .text, "verified": .flag]) {
                try AdminOrganizationDomainRoutes(context: $0).update()
            },
            .post(one + "/domains/{domain_id}/verify_ownership", .server) {
                try AdminOrganizationDomainRoutes(context: $0).verify()
            },
            .delete(one + "/domains/{domain_id}", .server) { try AdminOrganizationDomainRoutes(context: $0).delete() },
            .get("/organization_domains", .server, .writes) { try AdminOrganizationDomainRoutes(context: $0).all() },
        ]
    }
}

extension OrganizationRules {
    /// The number of domains that an organization can have.
    static let domainLimit = OrganizationDomains.limit

    /// The modes that an organization can choose for a domain.
    ///
    /// ``EnrollmentMode/enterprise`` is missing, because an organization's own connection sets it.
    var offeredModes: [String] { enrollmentModes.subtracting([.enterprise]).map(\.rawValue).sorted() }

    /// Replaces the modes that an organization can choose.
    ///
    /// - Throws: `form_param_value_invalid` for a name that is not a mode.
    mutating func offer(_ names: [String]) throws(ClerkError) {
        var modes = enrollmentModes.intersection([.enterprise])
        for name in names {
            guard let mode = EnrollmentMode(rawValue: name) else {
                throw .invalidValue("domains_enrollment_modes", String(name.prefix(40)))
            }
            modes.insert(mode)
        }
        enrollmentModes = modes
    }
}

extension IdentifierKind {
    static let organizationDomain = Self("orgdmn")
}

extension RequestContext {
    var organizationDomains: OrganizationDomains { OrganizationDomains(context: self) }
}
