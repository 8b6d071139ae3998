import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// Memberships: of an organization, of a user, of the whole instance.
struct BackendMembershipRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }

    func list() throws -> BackendResponse {
        let organization = try call.organization()
        var condition: SQL = "organization_id = \(organization.id)"
        let users = call.query.list("user_id")
        if !users.isEmpty { condition += " AND user_id IN (\(list: users))" }
        let roles = call.query.list("role")
        if !roles.isEmpty { condition += " AND role IN (\(list: roles))" }
        for kind in ["email_address", "phone_number"] {
            let values = call.query.list(kind)
            guard !values.isEmpty else { continue }
            condition +=
                " AND user_id IN (SELECT user_id FROM identifications WHERE kind = \(kind) AND value IN (\(list: values)))"
        }
        let names = call.query.list("username")
        if !names.isEmpty { condition += " AND user_id IN (SELECT id FROM users WHERE username IN (\(list: names)))" }
        for parameter in ["query", "email_address_query", "phone_number_query", "username_query", "name_query"] {
            guard let text = call.query.text(parameter) else { continue }
            condition += " AND user_id IN (\(UserSearch.ids(matching: text)))"
        }
        for (parameter, sign) in [("created_at_before", "<"), ("created_at_after", ">")] {
            guard let text = call.query.text(parameter) else { continue }
            guard let time = Int64(text) else { throw ClerkError.wrongType(parameter, "integer") }
            condition += " AND created_at \(name: sign) \(time)"
        }
        return try call.page(MembershipRecord.self, condition, order: try call.order(["created_at"]), json)
    }

    func ofUser() throws -> BackendResponse {
        let user = try call.user()
        return try call.page(MembershipRecord.self, "user_id = \(user.id)", json)
    }

    func all() throws -> BackendResponse {
        try call.checkOrganizations()
        return try call.page(MembershipRecord.self, "1 = 1", order: try call.order(["created_at"]), json)
    }

    func create() throws -> BackendResponse {
        try call.fields.check(["user_id", "role", "public_metadata", "private_metadata"])
        let organization = try call.organization()
        let user = try call.user(try call.fields.required("user_id"))
        let role = try context.roles.role(named: try call.fields.required("role"), of: organization)
        let membership = try context.organizations.add(
            user, to: organization, role: role, publicMetadata: try call.fields.metadata("public_metadata") ?? [:],
            privateMetadata: try call.fields.metadata("private_metadata") ?? [:])
        return .resource(try json(membership))
    }

    func update() throws -> BackendResponse {
        try call.fields.check(["role"])
        var membership = try membership()
        let role = try context.roles.role(
            named: try call.fields.required("role"), of: try call.organization())
        try context.organizations.change(&membership, to: role)
        return .resource(try json(membership))
    }

    /// Merges at every depth; `null` removes a key.
    func mergeMetadata() throws -> BackendResponse {
        try call.fields.check(["public_metadata", "private_metadata"])
        var membership = try membership()
        if let new = try call.fields.metadata("public_metadata", { membership.publicMetadata.merged(with: $0) }) {
            membership.publicMetadata = new
        }
        if let new = try call.fields.metadata("private_metadata", { membership.privateMetadata.merged(with: $0) }) {
            membership.privateMetadata = new
        }
        membership.updatedAt = context.now
        try context.db.save(membership)
        return .resource(try json(membership))
    }

    func delete() throws -> BackendResponse {
        let membership = try membership()
        let answer = try json(membership)
        try context.organizations.remove(membership)
        return .resource(answer)
    }

    private func membership() throws -> MembershipRecord {
        let organization = try call.organization()
        let id = call.piece("user_id")
        guard let membership = try context.organizations.membership(of: id, in: organization.id) else {
            throw ClerkError.notFound(id)
        }
        return membership
    }

    private func json(_ membership: MembershipRecord) throws -> JSON {
        try context.organizationJSON.membership(membership, isPrivate: true)
    }
}
