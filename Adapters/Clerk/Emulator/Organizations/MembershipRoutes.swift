import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organizations/{organization_id}/memberships` and `…/membership_requests`.
struct MembershipRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    /// A page of the members; a bare list where `paginated` is `false`.
    func list() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.readMemberships)
        var condition: SQL = "organization_id = \(organization.id)"
        let roles = call.request.query.list("role") + call.request.query.list("role[]")
        if !roles.isEmpty { condition += " AND role IN (\(list: roles))" }
        if let text = call.request.query.text("query") {
            condition += " AND user_id IN (\(UserSearch.ids(matching: text)))"
        }
        let (rows, total) = try context.page(of: MembershipRecord.self, where: condition)
        let elements = try rows.map { try context.organizationJSON.membership($0) }
        return .resource(call.request.query["paginated"] == "false" ? .array(elements) : .page(elements, total: total))
    }

    func create() throws -> FrontendResponse {
        try call.form.check(["user_id", "role"])
        let (organization, _) = try call.organization(.manageMemberships)
        let id = try call.form.required("user_id")
        let role = try context.roles.role(named: try call.form.required("role"), of: organization)
        guard let user = try context.users.find(id) else { throw ClerkError.notFound(id) }
        return .resource(
            try context.organizationJSON.membership(try context.organizations.add(user, to: organization, role: role)))
    }

    func update() throws -> FrontendResponse {
        try call.form.check(["role"])
        let (organization, _) = try call.organization(.manageMemberships)
        var membership = try member(of: organization)
        let role = try context.roles.role(named: try call.form.required("role"), of: organization)
        try context.organizations.change(&membership, to: role)
        return .resource(try context.organizationJSON.membership(membership))
    }

    func delete() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        let membership = try member(of: organization)
        let answer = try context.organizationJSON.membership(membership)
        try context.organizations.remove(membership)
        return .resource(answer)
    }

    func requests() throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        var condition: SQL = "kind = 'request' AND organization_id = \(organization.id)"
        if let status = call.request.query.text("status") { condition += " AND status = \(status)" }
        let (rows, total) = try context.page(of: EnrollmentRecord.self, where: condition)
        return .resource(.page(try rows.map(context.organizationJSON.request), total: total))
    }

    /// The user who asked becomes a member with the role of domains.
    func acceptRequest() throws -> FrontendResponse {
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

    func rejectRequest() throws -> FrontendResponse { try answerRequest("rejected") { _, _ in } }

    private func answerRequest(
        _ status: String, _ body: (EnrollmentRecord, OrganizationRecord) throws -> Void
    ) throws -> FrontendResponse {
        let (organization, _) = try call.organization(.manageMemberships)
        let id = call.request.piece("request_id")
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
        let id = call.request.piece("user_id")
        guard let membership = try context.organizations.membership(of: id, in: organization.id) else {
            throw ClerkError.notFound(id)
        }
        return membership
    }
}
