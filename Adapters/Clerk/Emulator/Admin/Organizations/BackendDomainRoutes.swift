import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Domains of organizations; an administrator's word is proof enough.
struct BackendOrganizationDomainRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }

    func list() throws -> BackendResponse {
        try answer(
            try context.db.all(
                OrganizationDomainRecord.self, "organization_id = \(organization().id) ORDER BY created_at DESC, rowid DESC"))
    }

    func all() throws -> BackendResponse {
        try call.checkOrganizations()
        guard call.settings.organizations.hasDomains else { throw ClerkError.domainsDisabled }
        var condition: SQL = "1 = 1"
        if let id = call.query.text("organization_id") { condition += " AND organization_id = \(id)" }
        if let text = call.query.text("query") { condition += " AND name LIKE \(UserSearch.pattern(text)) ESCAPE '!'" }
        let names = call.query.list("domains")
        if !names.isEmpty { condition += " AND name IN (\(list: names))" }
        let order = try call.order(["created_at", "name"])
        return try answer(try context.db.all(OrganizationDomainRecord.self, "\(condition) ORDER BY \(order)"))
    }

    func create() throws -> BackendResponse {
        try call.fields.check(["name", "enrollment_mode", "verified"])
        let organization = try organization()
        let mode = try call.fields.text("enrollment_mode").map { try context.organizationDomains.mode($0) } ?? .manual
        let isVerified = try call.fields.flag("verified") ?? true
        return .resource(
            try json(
                try context.organizationDomains.make(
                    try call.fields.required("name"), mode: mode, isVerified: isVerified, of: organization)))
    }

    func update() throws -> BackendResponse {
        try call.fields.check(["enrollment_mode", "verified"])
        let organization = try organization()
        var domain = try context.organizationDomains.find(call.piece("domain_id"), of: organization)
        if let text = try call.fields.text("enrollment_mode") { domain.mode = try context.organizationDomains.mode(text) }
        if let isVerified = try call.fields.flag("verified") {
            domain.ownership = isVerified ? try context.organizationDomains.ownership(of: domain.name, by: organization) : nil
            if !isVerified { domain.affiliation = nil }
        }
        try context.organizationDomains.save(&domain)
        return .resource(try json(domain))
    }

    /// Takes the administrator's word for the record that a name server would have to show.
    func verify() throws -> BackendResponse {
        let organization = try organization()
        var domain = try context.organizationDomains.find(call.piece("domain_id"), of: organization)
        domain.ownership = try context.organizationDomains.ownership(of: domain.name, by: organization)
        try context.organizationDomains.save(&domain)
        return .resource(try json(domain))
    }

    func delete() throws -> BackendResponse {
        let domain = try context.organizationDomains.find(call.piece("domain_id"), of: try organization())
        try context.organizationDomains.delete(domain)
        return .resource(["object": "organization_domain", "id": .string(domain.id), "deleted": true])
    }

    private func organization() throws -> OrganizationRecord {
        let organization = try call.organization()
        guard call.settings.organizations.hasDomains else { throw ClerkError.domainsDisabled }
        return organization
    }

    private func answer(_ found: [OrganizationDomainRecord]) throws -> BackendResponse {
        var rows = found
        if let isVerified = try call.query.flag("verified") { rows = rows.filter { $0.isVerified == isVerified } }
        for text in call.query.list("enrollment_mode") {
            rows = rows.filter { text.hasPrefix("-") ? $0.mode.rawValue != text.dropFirst() : $0.mode.rawValue == text }
        }
        let (page, total) = try context.page(of: rows)
        return .resource(.page(try page.map(json), total: total))
    }

    private func json(_ domain: OrganizationDomainRecord) throws -> JSON { try context.organizationJSON.domain(domain) }
}
