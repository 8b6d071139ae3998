import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

extension BackendCall {
    /// Refuses where the instance has no organizations.
    func checkOrganizations() throws(ClerkError) {
        guard settings.organizations.isEnabled else { throw .organizationsDisabled }
    }

    /// The organization that the path names, by id or slug.
    func organization() throws -> OrganizationRecord {
        try checkOrganizations()
        let id = piece("organization_id")
        guard let organization = try context.organizations.find(id) else { throw ClerkError.notFound(id) }
        return organization
    }

    /// The order that `order_by` asks for: a column of `columns`, `-` before it for the greatest first.
    func order(_ columns: Set<String>, by standard: String = "-created_at") throws -> SQL {
        let text = query.text("order_by") ?? standard
        let name = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard columns.contains(name) else { throw ClerkError.invalidValue("order_by", String(text.prefix(60))) }
        let direction: SQL = text.hasPrefix("-") ? "DESC" : "ASC"
        return "\(name: name) \(direction), rowid \(direction)"
    }

    /// A page of the rows that meet a condition, with the length of the whole.
    func page<Row: Record>(
        _ type: Row.Type, _ condition: SQL, order: SQL = "created_at DESC, rowid DESC", _ json: (Row) throws -> JSON
    ) throws -> BackendResponse {
        let (rows, total) = try context.page(of: type, where: condition, by: order)
        return .resource(.page(try rows.map(json), total: total))
    }
}

/// `/v1/organizations` and `/v1/organizations/{organization_id}`.
struct BackendOrganizationRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }
    private var fields: Fields { call.fields }

    func list() throws -> BackendResponse {
        try call.checkOrganizations()
        var condition: SQL = "1 = 1"
        if let text = call.query.text("query") {
            let pattern = UserSearch.pattern(text)
            condition += " AND (id = \(text) OR name LIKE \(pattern) ESCAPE '!' OR slug LIKE \(pattern) ESCAPE '!')"
        }
        let users = call.query.list("user_id")
        if !users.isEmpty {
            condition += " AND id IN (SELECT organization_id FROM memberships WHERE user_id IN (\(list: users)))"
        }
        let ids = call.query.list("organization_id")
        if !ids.isEmpty { condition += " AND id IN (\(list: ids))" }
        let order = try order()
        return try call.page(OrganizationRecord.self, condition, order: order, json)
    }

    func create() throws -> BackendResponse {
        try fields.check([
            "name", "created_by", "private_metadata", "public_metadata", "slug", "max_allowed_memberships", "created_at",
            "role_set_key",
        ])
        try call.checkOrganizations()
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

    func get() throws -> BackendResponse { .resource(try json(try call.organization())) }

    func update() throws -> BackendResponse {
        try fields.check([
            "name", "slug", "max_allowed_memberships", "admin_delete_enabled", "created_at", "role_set_key",
        ])
        var organization = try call.organization()
        if try fields.text("name") != nil { organization.name = try name() }
        if let slug = try slug(), slug != organization.slug {
            organization.slug = try context.organizations.checkedSlug(slug, of: organization.id)
        }
        try apply(to: &organization)
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    func delete() throws -> BackendResponse {
        let organization = try call.organization()
        try context.organizations.delete(organization)
        return .resource([
            "object": "organization", "id": .string(organization.id), "slug": .string(organization.slug), "deleted": true,
        ])
    }

    /// Merges at every depth; `null` removes a key.
    func mergeMetadata() throws -> BackendResponse { try changeMetadata { $0.merged(with: $1) } }

    /// Replaces each group that is given.
    func replaceMetadata() throws -> BackendResponse { try changeMetadata { $1 } }

    func setLogo() throws -> BackendResponse {
        var organization = try call.organization()
        organization.imageURL = try context.images.store(
            try call.file("file"), replacing: organization.imageURL
        ).url
        try context.organizations.save(&organization)
        var answer = try json(organization).object ?? [:]
        answer["logo_url"] = .optional(organization.imageURL)
        return .resource(.object(answer))
    }

    func deleteLogo() throws -> BackendResponse {
        var organization = try call.organization()
        guard let url = organization.imageURL else { throw ClerkError.imageNotFound }
        try context.images.delete(url)
        organization.imageURL = nil
        try context.organizations.save(&organization)
        return .resource(try json(organization))
    }

    private func changeMetadata(_ change: (JSONObject, JSONObject) -> JSONObject) throws -> BackendResponse {
        try fields.check(["public_metadata", "private_metadata"])
        var organization = try call.organization()
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
        guard let text = call.query.text("order_by"), text.hasSuffix("members_count") else {
            return try call.order(["name", "created_at"])
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
