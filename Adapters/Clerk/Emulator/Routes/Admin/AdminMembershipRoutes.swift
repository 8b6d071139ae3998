import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Memberships of an organization, of a user, and of the whole instance.
struct AdminMembershipRoutes {
    let context: RequestContext

    /// The members of ``create()``.
    static let createBody: BodySchema = [
        "user_id": .text, "role": .text, "public_metadata": .object, "private_metadata": .object,
    ]

    func list() throws -> Answer {
        let organization = try context.namedOrganization()
        var condition: SQL = "organization_id = \(organization.id)"
        let users = context.query.list("user_id")
        if !users.isEmpty { condition += " AND user_id IN (\(list: users))" }
        let roles = context.query.list("role")
        if !roles.isEmpty { condition += " AND role IN (\(list: roles))" }
        for kind in ["email_address", "phone_number"] {
            let values = context.query.list(kind)
            guard !values.isEmpty else { continue }
            condition +=
                " AND user_id IN (SELECT user_id FROM identifications WHERE kind = \(kind) AND value IN (\(list: values)))"
        }
        let names = context.query.list("username")
        if !names.isEmpty { condition += " AND user_id IN (SELECT id FROM users WHERE username IN (\(list: names)))" }
        for parameter in ["query", "email_address_query", "phone_number_query", "username_query", "name_query"] {
            guard let text = context.query.text(parameter) else { continue }
            condition += " AND user_id IN (\(UserSearch.ids(matching: text)))"
        }
        for (parameter, sign) in [("created_at_before", "<"), ("created_at_after", ">")] {
            guard let text = context.query.text(parameter) else { continue }
            guard let time = Int64(text) else { throw ClerkError.wrongType(parameter, "integer") }
            condition += " AND created_at \(name: sign) \(time)"
        }
        return try context.page(MembershipRecord.self, condition, order: try context.order(["created_at"]), json)
    }

    func ofUser() throws -> Answer {
        let user = try context.namedUser()
        return try context.page(MembershipRecord.self, "user_id = \(user.id)", json)
    }

    func all() throws -> Answer {
        try context.checkOrganizations()
        return try context.page(MembershipRecord.self, "1 = 1", order: try context.order(["created_at"]), json)
    }

    func create() throws -> Answer {
        let organization = try context.namedOrganization()
        let user = try context.user(try context.fields.required("user_id"))
        let role = try context.roles.role(named: try context.fields.required("role"), of: organization)
        let membership = try context.organizations.add(
            user, to: organization, role: role, publicMetadata: try context.fields.metadata("public_metadata") ?? [:],
            privateMetadata: try context.fields.metadata("private_metadata") ?? [:])
        return .resource(try json(membership))
    }

    func update() throws -> Answer {
        var membership = try membership()
        let role = try context.roles.role(
            named: try context.fields.required("role"), of: try context.namedOrganization())
        try context.organizations.change(&membership, to: role)
        return .resource(try json(membership))
    }

    /// Merges the metadata at every depth; `null` removes a key.
    func mergeMetadata() throws -> Answer {
        var membership = try membership()
        if let new = try context.fields.metadata("public_metadata", { membership.publicMetadata.merged(with: $0) }) {
            membership.publicMetadata = new
        }
        if let new = try context.fields.metadata("private_metadata", { membership.privateMetadata.merged(with: $0) }) {
            membership.privateMetadata = new
        }
        membership.updatedAt = context.now
        try context.db.save(membership)
        return .resource(try json(membership))
    }

    func delete() throws -> Answer {
        let membership = try membership()
        let answer = try json(membership)
        try context.organizations.remove(membership)
        return .resource(answer)
    }

    private func membership() throws -> MembershipRecord {
        let organization = try context.namedOrganization()
        return try context.named("user_id") { try context.organizations.membership(of: $0, in: organization.id) }
    }

    private func json(_ membership: MembershipRecord) throws -> JSON {
        try context.organizationJSON.membership(membership, isPrivate: true)
    }
}
