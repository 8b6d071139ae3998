import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organizations/{organization_id}/memberships` and `…/membership_requests`.
struct MembershipRoutes {
    let context: RequestContext

    /// Returns a page of the members; a plain list if `paginated` is `false`.
    func list() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.readMemberships)
        var condition: SQL = "organization_id = \(organization.id)"
        let roles = context.query.list("role") + context.query.list("role[]")
        if !roles.isEmpty { condition += " AND role IN (\(list: roles))" }
        if let text = context.query.text("query") {
            condition += " AND user_id IN (\(UserSearch.ids(matching: text)))"
        }
        let (rows, total) = try context.page(of: MembershipRecord.self, where: condition)
        let elements = try rows.map { try context.organizationJSON.membership($0) }
        return .resource(context.query["paginated"] == "false" ? .array(elements) : .page(elements, total: total))
    }

    func create() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        let id = try context.form.required("user_id")
        let role = try context.roles.role(named: try context.form.required("role"), of: organization)
        guard let user = try context.users.find(id) else { throw ClerkError.notFound(id) }
        return .resource(
            try context.organizationJSON.membership(try context.organizations.add(user, to: organization, role: role)))
    }

    func update() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        var membership = try member(of: organization)
        let role = try context.roles.role(named: try context.form.required("role"), of: organization)
        try context.organizations.change(&membership, to: role)
        return .resource(try context.organizationJSON.membership(membership))
    }

    func delete() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        let membership = try member(of: organization)
        let answer = try context.organizationJSON.membership(membership)
        try context.organizations.remove(membership)
        return .resource(answer)
    }

    func requests() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        var condition: SQL = "kind = 'request' AND organization_id = \(organization.id)"
        if let status = context.query.text("status") { condition += " AND status = \(status)" }
        let (rows, total) = try context.page(of: EnrollmentRecord.self, where: condition)
        return .resource(.page(try rows.map(context.organizationJSON.request), total: total))
    }

    /// Makes the user who sent the request a member, with the role of domains.
    func acceptRequest() throws -> Answer {
        try answerRequest("accepted") { request, organization in
            guard let user = try context.users.find(request.userID) else {
                throw ClerkError.notFound(request.id)
            }
            guard let role = try context.roles.defaultRole(of: organization) else {
                throw ClerkError.resourceMissing("role")
            }
            _ = try context.organizations.add(user, to: organization, role: role)
        }
    }

    func rejectRequest() throws -> Answer { try answerRequest("rejected") { _, _ in } }

    private func answerRequest(
        _ status: String, _ body: (EnrollmentRecord, OrganizationRecord) throws -> Void
    ) throws -> Answer {
        let (organization, _) = try context.ownOrganization(.manageMemberships)
        let id = context.piece("request_id")
        guard
            var request = try context.db.find(
                EnrollmentRecord.self,
                "id = \(id) AND kind = 'request' AND organization_id = \(organization.id) AND status = 'pending'")
        else { throw ClerkError.notFound(id) }
        try body(request, organization)
        request.status = status
        request.updatedAt = context.now
        try context.db.save(request)
        return .resource(try context.organizationJSON.request(request))
    }

    private func member(of organization: OrganizationRecord) throws -> MembershipRecord {
        try context.named("user_id") { try context.organizations.membership(of: $0, in: organization.id) }
    }
}
