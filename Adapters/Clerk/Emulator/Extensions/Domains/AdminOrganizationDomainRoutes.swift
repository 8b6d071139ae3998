import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Domains of organizations for administrators, who need no further verification.
struct AdminOrganizationDomainRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        try answer(
            try context.db.all(
                OrganizationDomainRecord.self, "organization_id = \(organization().id) ORDER BY created_at DESC, rowid DESC"))
    }

    func all() throws -> Answer {
        try context.checkOrganizations()
        guard context.settings.organizations.hasDomains else { throw ClerkError.domainsDisabled }
        var condition: SQL = "1 = 1"
        if let id = context.query.text("organization_id") { condition += " AND organization_id = \(id)" }
        if let text = context.query.text("query") { condition += " AND \(SQL.contains(text, in: "name"))" }
        let names = context.query.list("domains")
        if !names.isEmpty { condition += " AND name IN (\(list: names))" }
        let order = try context.order(["created_at", "name"])
        return try answer(try context.db.all(OrganizationDomainRecord.self, "\(condition) ORDER BY \(order)"))
    }

    func create() throws -> Answer {
        let organization = try organization()
        let mode = try context.fields.text("enrollment_mode").map { try context.organizationDomains.mode($0) } ?? .manual
        let isVerified = try context.fields.flag("verified") ?? true
        return .resource(
            try json(
                try context.organizationDomains.make(
                    try context.fields.required("name"), mode: mode, isVerified: isVerified, of: organization)))
    }

    func update() throws -> Answer {
        let organization = try organization()
        var domain = try context.organizationDomains.find(context.piece("domain_id"), of: organization)
        if let text = try context.fields.text("enrollment_mode") { domain.mode = try context.organizationDomains.mode(text) }
        if let isVerified = try context.fields.flag("verified") {
            domain.ownership = isVerified ? try context.organizationDomains.ownership(of: domain.name, by: organization) : nil
            if !isVerified { domain.affiliation = nil }
        }
        try context.organizationDomains.save(&domain)
        return .resource(try json(domain))
    }

    /// Marks a domain as verified for an administrator, without the DNS record that would otherwise be required.
    func verify() throws -> Answer {
        let organization = try organization()
        var domain = try context.organizationDomains.find(context.piece("domain_id"), of: organization)
        domain.ownership = try context.organizationDomains.ownership(of: domain.name, by: organization)
        try context.organizationDomains.save(&domain)
        return .resource(try json(domain))
    }

    func delete() throws -> Answer {
        let domain = try context.organizationDomains.find(context.piece("domain_id"), of: try organization())
        try context.organizationDomains.delete(domain)
        return .resource(["object": "organization_domain", "id": .string(domain.id), "deleted": true])
    }

    private func organization() throws -> OrganizationRecord {
        let organization = try context.namedOrganization()
        guard context.settings.organizations.hasDomains else { throw ClerkError.domainsDisabled }
        return organization
    }

    private func answer(_ found: [OrganizationDomainRecord]) throws -> Answer {
        var rows = found
        if let isVerified = try context.query.flag("verified") { rows = rows.filter { $0.isVerified == isVerified } }
        for text in context.query.list("enrollment_mode") {
            rows = rows.filter { text.hasPrefix("-") ? $0.mode.rawValue != text.dropFirst() : $0.mode.rawValue == text }
        }
        let (page, total) = try context.page(of: rows)
        return .resource(.page(try page.map(json), total: total))
    }

    private func json(_ domain: OrganizationDomainRecord) throws -> JSON { try context.organizationJSON.domain(domain) }
}
