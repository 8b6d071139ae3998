import LockstepEmulation
import LockstepPrimitives

/// Organizations and their parts, in the JSON of both APIs.
struct OrganizationJSON {
    let context: RequestContext

    func organization(_ organization: OrganizationRecord, isPrivate: Bool = false) throws -> JSON {
        var json: JSONObject = [
            "object": "organization", "id": .string(organization.id), "name": .string(organization.name),
            "slug": .string(organization.slug), "image_url": .string(imageURL(organization)),
            "has_image": .bool(organization.imageURL != nil),
            "members_count": .int(Int64(try context.organizations.memberCount(organization))),
            "pending_invitations_count": .int(Int64(try context.organizations.openInvitations(organization))),
            "max_allowed_memberships": .int(Int64(organization.membershipLimit)),
            "admin_delete_enabled": .bool(organization.allowsAdminDelete),
            "public_metadata": .object(organization.publicMetadata),
        ]
        if isPrivate {
            json["private_metadata"] = .object(organization.privateMetadata)
            json["created_by"] = organization.createdBy.map { .string($0) }
            json["role_set_key"] = .string(organization.roleSetKey)
        } else {
            json["logo_url"] = .text(organization.imageURL)
        }
        json["created_at"] = .time(organization.createdAt)
        json["updated_at"] = .time(organization.updatedAt)
        return .object(json)
    }

    /// Returns the values of an organization that others may see.
    func publicData(_ organization: OrganizationRecord) -> JSON {
        [
            "id": .string(organization.id), "name": .string(organization.name), "slug": .string(organization.slug),
            "image_url": .string(imageURL(organization)), "has_image": .bool(organization.imageURL != nil),
        ]
    }

    func membership(_ membership: MembershipRecord, isPrivate: Bool = false) throws -> JSON {
        guard let organization = try context.organizations.find(membership.organizationID) else {
            throw ClerkError.noSuchOrganization
        }
        let role = try context.roles.role(membership.role)
        let user = try context.users.find(membership.userID)
        var json: JSONObject = [
            "object": "organization_membership", "id": .string(membership.id), "role": .string(membership.role),
            "role_name": .string(role?.name ?? membership.role), "permissions": .strings(role?.permissions ?? []),
            "public_metadata": .object(membership.publicMetadata),
            "organization": try self.organization(organization, isPrivate: isPrivate),
            "created_at": .time(membership.createdAt), "updated_at": .time(membership.updatedAt),
        ]
        json["public_user_data"] = try user.map { try context.userJSON.member($0) }
        if isPrivate { json["private_metadata"] = .object(membership.privateMetadata) }
        return .object(json)
    }

    func role(_ role: RoleRecord) throws -> JSON {
        let permissions = try context.roles.permissions().filter { role.permissions.contains($0.key) }
        return [
            "object": "role", "id": .string(role.id), "name": .string(role.name), "key": .string(role.key),
            "description": .string(role.summary ?? ""), "is_creator_eligible": .bool(role.isCreatorEligible),
            "permissions": .array(permissions.map(permission)), "created_at": .time(role.createdAt),
            "updated_at": .time(role.updatedAt),
        ]
    }

    func permission(_ permission: PermissionRecord) -> JSON {
        [
            "object": "permission", "id": .string(permission.id), "name": .string(permission.name),
            "key": .string(permission.key), "description": .string(permission.summary),
            "type": permission.isSystems ? "system" : "user", "created_at": .time(permission.createdAt),
            "updated_at": .time(permission.updatedAt),
        ]
    }

    /// Returns an invitation: with its organization for the invited user, and without for the organization.
    func invitation(_ ticket: TicketRecord, isPrivate: Bool = false, showsOrganization: Bool = false) throws -> JSON {
        let role = try ticket.role.flatMap { try context.roles.role($0) }
        var json: JSONObject = [
            "object": "organization_invitation", "id": .string(ticket.id), "email_address": .text(ticket.emailAddress),
            "role": .string(ticket.role ?? ""), "role_name": .string(role?.name ?? ticket.role ?? ""),
            "organization_id": .text(ticket.organizationID), "status": .string(ticket.status(at: context.now)),
            "public_metadata": .object(ticket.publicMetadata),
        ]
        if isPrivate {
            json["private_metadata"] = .object(ticket.privateMetadata)
            json["inviter_id"] = .text(ticket.inviterID)
            let inviter = try ticket.inviterID.flatMap { try context.users.find($0) }
            json["public_inviter_data"] = try inviter.map { try context.userJSON.inviter($0) } ?? .null
        }
        if showsOrganization, let id = ticket.organizationID, let organization = try context.organizations.find(id) {
            json["public_organization_data"] = publicData(organization)
        }
        let isOpen = ticket.status(at: context.now) == "pending"
        json["url"] = isOpen && isPrivate ? .string(Tickets.url(ticket, context)) : .null
        json["expires_at"] = .time(ticket.expireAt)
        json["created_at"] = .time(ticket.createdAt)
        json["updated_at"] = .time(ticket.updatedAt)
        return .object(json)
    }

    func suggestion(_ enrollment: EnrollmentRecord) throws -> JSON {
        guard let organization = try context.organizations.find(enrollment.organizationID) else {
            throw ClerkError.noSuchOrganization
        }
        return [
            "object": "organization_suggestion", "id": .string(enrollment.id),
            "public_organization_data": publicData(organization), "status": .string(enrollment.status),
            "created_at": .time(enrollment.createdAt), "updated_at": .time(enrollment.updatedAt),
        ]
    }

    func request(_ enrollment: EnrollmentRecord) throws -> JSON {
        let user = try context.users.find(enrollment.userID)
        return [
            "object": "organization_membership_request", "id": .string(enrollment.id),
            "organization_id": .string(enrollment.organizationID), "status": .string(enrollment.status),
            "public_user_data": try user.map { try context.userJSON.member($0) } ?? .null,
            "created_at": .time(enrollment.createdAt), "updated_at": .time(enrollment.updatedAt),
        ]
    }

    private func imageURL(_ organization: OrganizationRecord) -> String {
        organization.imageURL ?? "\(context.state.base)/images/\(organization.id)"
    }
}
