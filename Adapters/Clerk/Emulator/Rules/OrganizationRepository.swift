import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// The organizations of the instance and their members.
struct OrganizationRepository {
    let context: RequestContext

    /// Returns the organization with an id or a slug.
    func find(_ idOrSlug: String) throws -> OrganizationRecord? {
        try context.db.find(OrganizationRecord.self, "id = \(idOrSlug) OR slug = \(idOrSlug)")
    }

    func membership(of userID: String, in organizationID: String) throws -> MembershipRecord? {
        try context.db.find(MembershipRecord.self, "organization_id = \(organizationID) AND user_id = \(userID)")
    }

    /// Returns the memberships of a user, the oldest first.
    func memberships(of userID: String) throws -> [MembershipRecord] {
        try context.db.all(MembershipRecord.self, "user_id = \(userID) ORDER BY created_at, rowid")
    }

    func memberCount(_ organization: OrganizationRecord) throws -> Int {
        try context.db.count(MembershipRecord.self, "organization_id = \(organization.id)")
    }

    /// Returns the invitations to an organization that can still be accepted.
    func openInvitations(_ organization: OrganizationRecord) throws -> Int {
        try context.db.count(
            TicketRecord.self,
            """
            kind = 'organization_invitation' AND organization_id = \(organization.id) AND status = 'pending' \
            AND expire_at > \(context.now)
            """)
    }

    /// Saves a change with the request's time.
    func save(_ organization: inout OrganizationRecord) throws {
        organization.updatedAt = context.now
        try context.db.save(organization)
        try context.emit(
            "organization.updated", organization.id, try context.organizationJSON.organization(organization, isPrivate: true))
    }

    /// Creates an organization; its creator, if any, is its first member.
    func make(name: String, slug: String?, creator: UserRecord?) throws -> OrganizationRecord {
        if let creator {
            guard creator.canCreateOrganizations else { throw ClerkError.cannotCreateOrganizations }
            let made = try context.db.count(OrganizationRecord.self, "created_by = \(creator.id)")
            // For Clerk, a limit of 0 means no limit.
            if let limit = creator.organizationsLimit, limit > 0, made >= limit { throw ClerkError.organizationQuota(limit) }
        }
        let organization = try blank(name: name, slug: slug, createdBy: creator?.id)
        try context.db.save(organization)
        try context.emit(
            "organization.created", organization.id, try context.organizationJSON.organization(organization, isPrivate: true))
        if let creator {
            let role = try context.roles.initialSet().creatorRole ?? ""
            _ = try add(creator, to: organization, role: try context.roles.role(named: role))
        }
        return organization
    }

    /// Returns an organization that has no row yet.
    func blank(name: String, slug: String?, createdBy creator: String? = nil) throws -> OrganizationRecord {
        let rules = context.settings.organizations
        return OrganizationRecord(
            id: context.id(.organization), name: name, slug: try slug.map { try checkedSlug($0) } ?? freeSlug(name),
            membershipLimit: rules.membershipLimit, allowsAdminDelete: rules.allowsAdminDelete, createdBy: creator,
            roleSetKey: try context.roles.initialSet().key, createdAt: context.now, updatedAt: context.now)
    }

    /// Checks the slug in a request.
    func checkedSlug(_ text: String, of own: String? = nil) throws -> String {
        guard context.settings.organizations.hasSlugs else { throw ClerkError.slugsDisabled }
        let slug = text.trimmed.lowercased()
        guard (1...256).contains(slug.utf8.count),
            slug.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else {
            throw ClerkError.malformed("slug", "slug can only contain lowercase letters, numbers and dashes.")
        }
        if let other = try context.db.find(OrganizationRecord.self, "slug = \(slug)"), other.id.exact != own?.exact {
            throw ClerkError.taken("slug")
        }
        return slug
    }

    /// Returns a slug made from the name, with the time if that slug is in use.
    private func freeSlug(_ name: String) throws -> String {
        let kept = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(kept).pieces(at: "-").joined(separator: "-")
        let base = words.isEmpty ? "organization" : String(words.prefix(200))
        guard try context.db.count(OrganizationRecord.self, "slug = \(base)") > 0 else { return base }
        return context.nextID(of: "slug") { "\(base)-\(context.now.seconds)-\($0.text(4, of: "0123456789"))" }
    }

    /// Makes a user a member.
    func add(
        _ user: UserRecord, to organization: OrganizationRecord, role: RoleRecord, publicMetadata: JSONObject = [:],
        privateMetadata: JSONObject = [:], isInvited: Bool = false
    ) throws -> MembershipRecord {
        if try membership(of: user.id, in: organization.id) != nil { throw ClerkError.alreadyMember(user.id) }
        if !isInvited { try checkRoom(in: organization) }
        let membership = MembershipRecord(
            id: context.id(.membership), organizationID: organization.id, userID: user.id, role: role.key,
            publicMetadata: publicMetadata, privateMetadata: privateMetadata, createdAt: context.now, updatedAt: context.now)
        try context.db.save(membership)
        try context.db.run(
            """
            UPDATE enrollments SET status = 'completed', updated_at = \(context.now)
            WHERE organization_id = \(organization.id) AND user_id = \(user.id) AND status <> 'rejected'
            """)
        try announce(membership, "created")
        return membership
    }

    /// Rejects the call if the organization has its maximum number of members, including open invitations.
    func checkRoom(in organization: OrganizationRecord, for more: Int = 1) throws {
        guard try hasRoom(in: organization, for: more) else { throw ClerkError.membershipQuota(organization.membershipLimit) }
    }

    /// Whether the organization can have more members, including open invitations.
    func hasRoom(in organization: OrganizationRecord, for more: Int = 1) throws -> Bool {
        guard organization.membershipLimit > 0 else { return true }
        return try memberCount(organization) + openInvitations(organization) + more <= organization.membershipLimit
    }

    /// Changes the role of a member; the organization must still have a member who can manage it.
    func change(_ membership: inout MembershipRecord, to role: RoleRecord) throws {
        if !role.isCreatorEligible { try checkManager(without: membership) }
        membership.role = role.key
        membership.updatedAt = context.now
        try context.db.save(membership)
        try announce(membership, "updated")
    }

    /// Ends a membership; sessions in which the organization is active continue without it.
    func remove(_ membership: MembershipRecord) throws {
        try checkManager(without: membership)
        try announce(membership, "deleted")
        try context.db.run("DELETE FROM memberships WHERE id = \(membership.id)")
        try context.db.run(
            """
            UPDATE sessions SET organization_id = NULL
            WHERE user_id = \(membership.userID) AND organization_id = \(membership.organizationID)
            """)
    }

    func delete(_ organization: OrganizationRecord) throws {
        try context.db.run("UPDATE sessions SET organization_id = NULL WHERE organization_id = \(organization.id)")
        try context.db.run("DELETE FROM organizations WHERE id = \(organization.id)")
        try context.emitDeleted("organization", organization.id)
    }

    private func announce(_ membership: MembershipRecord, _ change: String) throws {
        try context.emit(
            "organizationMembership.\(change)", membership.id,
            try context.organizationJSON.membership(membership, isPrivate: true))
    }

    private func checkManager(without membership: MembershipRecord) throws {
        let managing = try context.roles.roles().filter(\.isCreatorEligible).map(\.key)
        guard managing.contains(membership.role) else { return }
        let others = try context.db.count(
            MembershipRecord.self,
            "organization_id = \(membership.organizationID) AND id <> \(membership.id) AND role IN (\(list: managing))")
        if others == 0 { throw ClerkError.lastManager }
    }
}
