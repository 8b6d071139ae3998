import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

extension RequestContext {
    /// Rejects the call if the instance has no organizations.
    func checkOrganizations() throws(ClerkError) {
        guard settings.organizations.isEnabled else { throw .organizationsDisabled }
    }

    /// Returns the organization in the path, by its id or slug.
    func namedOrganization() throws -> OrganizationRecord {
        try checkOrganizations()
        return try named("organization_id") { try organizations.find($0) }
    }

    /// Returns the order in `order_by`: a column of `columns`, with `-` before it for descending order.
    func order(_ columns: [String], by standard: String = "-created_at") throws -> SQL {
        let text = query.text("order_by") ?? standard
        let name = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard columns.contains(name) else { throw ClerkError.invalidValue("order_by", String(text.prefix(60))) }
        let direction: SQL = text.hasPrefix("-") ? "DESC" : "ASC"
        return "\(name: name) \(direction), rowid \(direction)"
    }

    /// Returns a page of the rows that meet a condition, with the total number.
    func page<Row: Record>(
        _ type: Row.Type, _ condition: SQL, order: SQL = "created_at DESC, rowid DESC", _ json: (Row) throws -> JSON
    ) throws -> Answer {
        let (rows, total) = try page(of: type, where: condition, by: order)
        return .resource(.page(try rows.map(json), total: total))
    }
}

/// `/v1/organizations` and `/v1/organizations/{organization_id}`.
struct AdminOrganizationRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// The members of ``mergeMetadata()`` and ``replaceMetadata()``.
    static let metadataBody: BodySchema = ["public_metadata": .object, "private_metadata": .object]

    /// The members of ``create()``.
    static let createBody: BodySchema = [
        "name": .text, "created_by": .text, "private_metadata": .object, "public_metadata": .object, "slug": .text,
        "max_allowed_memberships": .whole, "created_at": .text, "role_set_key": .text,
    ]

    /// The members of ``update()``.
    static let updateBody: BodySchema = [
        "name": .text, "slug": .text, "max_allowed_memberships": .whole, "admin_delete_enabled": .flag, "created_at": .text,
        "role_set_key": .text,
    ]

    func list() throws -> Answer {
        try context.checkOrganizations()
        var condition: SQL = "1 = 1"
        if let text = context.query.text("query") {
            condition += " AND (id = \(text) OR \(SQL.contains(text, in: "name", "slug")))"
        }
        let users = context.query.list("user_id")
        if !users.isEmpty {
            condition += " AND id IN (SELECT organization_id FROM memberships WHERE user_id IN (\(list: users)))"
        }
        let ids = context.query.list("organization_id")
        if !ids.isEmpty { condition += " AND id IN (\(list: ids))" }
        let order = try order()
        return try context.page(OrganizationRecord.self, condition, order: order, json)
    }

    func create() throws -> Answer {
        try context.checkOrganizations()
        var creator: UserRecord?
        if let id = try fields.text("created_by"), !id.isEmpty {
            creator = try context.users.find(id)
            if creator == nil { throw ClerkError.creatorMissing(id) }
        }
        var organization = try context.organizations.make(name: try name(), slug: try slug(), creator: creator)
        if let metadata = try fields.metadata("public_metadata") { organization.publicMetadata = metadata }
        if let metadata = try fields.metadata("private_metadata") { organization.privateMetadata = metadata }
        try apply(to: &organization)
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    func get() throws -> Answer { .resource(try json(try context.namedOrganization())) }

    func update() throws -> Answer {
        var organization = try context.namedOrganization()
        if try fields.text("name") != nil { organization.name = try name() }
        if let slug = try slug(), slug != organization.slug {
            organization.slug = try context.organizations.checkedSlug(slug, of: organization.id)
        }
        try apply(to: &organization)
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    func delete() throws -> Answer {
        let organization = try context.namedOrganization()
        try context.organizations.delete(organization)
        return .resource([
            "object": "organization", "id": .string(organization.id), "slug": .string(organization.slug), "deleted": true,
        ])
    }

    /// Merges the metadata at every depth; `null` removes a key.
    func mergeMetadata() throws -> Answer { try changeMetadata { $0.merged(with: $1) } }

    /// Replaces each metadata group in the request.
    func replaceMetadata() throws -> Answer { try changeMetadata { $1 } }

    func setLogo() throws -> Answer {
        var organization = try context.namedOrganization()
        organization.imageURL = try context.images.store(
            try context.file("file"), replacing: organization.imageURL
        ).url
        try context.organizations.save(&organization)
        var answer = try json(organization).object ?? [:]
        answer["logo_url"] = .text(organization.imageURL)
        return .resource(.object(answer))
    }

    func deleteLogo() throws -> Answer {
        var organization = try context.namedOrganization()
        guard let url = organization.imageURL else { throw ClerkError.imageNotFound }
        try context.images.delete(url)
        organization.imageURL = nil
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    private func changeMetadata(_ change: (JSONObject, JSONObject) -> JSONObject) throws -> Answer {
        var organization = try context.namedOrganization()
        if let new = try fields.metadata("public_metadata", { change(organization.publicMetadata, $0) }) {
            organization.publicMetadata = new
        }
        if let new = try fields.metadata("private_metadata", { change(organization.privateMetadata, $0) }) {
            organization.privateMetadata = new
        }
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    private func apply(to organization: inout OrganizationRecord) throws {
        if let limit = try fields.number("max_allowed_memberships", 0...1_000_000) { organization.membershipLimit = Int(limit) }
        if let flag = try fields.flag("admin_delete_enabled") { organization.allowsAdminDelete = flag }
        if let created = try fields.time("created_at") { organization.createdAt = created }
        guard let key = try fields.text("role_set_key") else { return }
        try context.roles.prepare()
        guard try context.db.find(RoleSetRecord.self, "key = \(key)") != nil else {
            throw ClerkError.resourceMissing("role_set_key")
        }
        organization.roleSetKey = key
    }

    private func order() throws -> SQL {
        guard let text = context.query.text("order_by"), text.hasSuffix("members_count") else {
            return try context.order(["name", "created_at"])
        }
        let direction: SQL = text.hasPrefix("-") ? "DESC" : "ASC"
        return "(SELECT count(*) FROM memberships WHERE organization_id = organizations.id) \(direction), rowid \(direction)"
    }

    private func slug() throws -> String? {
        guard let slug = try fields.text("slug"), !slug.isEmpty else { return nil }
        return slug
    }

    private func name() throws -> String {
        let name = try fields.required("name")
        guard name.count <= 256 else { throw ClerkError.tooLong("name", 256) }
        return name
    }

    private func json(_ organization: OrganizationRecord) throws -> JSON {
        try context.organizationJSON.organization(organization, isPrivate: true)
    }
}
