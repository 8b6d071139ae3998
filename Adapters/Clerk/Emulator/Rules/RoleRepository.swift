import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// The roles and permissions of the instance.
///
/// A new instance has the roles `org:admin` and `org:member`, Clerk's own permissions, and one role set with both.
struct RoleRepository {
    let context: RequestContext

    private static let firstSet = "role_set:default"

    func role(_ key: String) throws -> RoleRecord? {
        try prepare()
        return try context.db.find(RoleRecord.self, "key = \(key)")
    }

    /// Returns the role with the key in a parameter of a request.
    ///
    /// - Throws: `resourceMissing` if the role does not exist.
    func role(named key: String, parameter: String = "role") throws -> RoleRecord {
        guard let role = try role(key) else { throw ClerkError.resourceMissing(parameter) }
        return role
    }

    func roles(_ condition: SQL = "1 = 1 ORDER BY created_at, rowid") throws -> [RoleRecord] {
        try prepare()
        return try context.db.all(RoleRecord.self, condition)
    }

    func permissions(_ condition: SQL = "1 = 1 ORDER BY created_at, rowid") throws -> [PermissionRecord] {
        try prepare()
        return try context.db.all(PermissionRecord.self, condition)
    }

    /// Returns the roles that members of an organization can have: those of its role set.
    func roles(of organization: OrganizationRecord) throws -> [RoleRecord] {
        let all = try roles()
        guard let set = try context.db.find(RoleSetRecord.self, "key = \(organization.roleSetKey)") else { return all }
        return all.filter { set.roles.contains($0.key) }
    }

    /// Returns the role with a key if members of the organization can have it.
    ///
    /// - Throws: `resourceMissing` if the role does not exist.
    func role(named key: String, of organization: OrganizationRecord) throws -> RoleRecord {
        guard let role = try roles(of: organization).first(where: { $0.key == key }) else {
            throw ClerkError.resourceMissing("role")
        }
        return role
    }

    /// Returns the role set of new organizations.
    func initialSet() throws -> RoleSetRecord {
        try prepare()
        guard let set = try context.db.find(RoleSetRecord.self, "1 = 1 ORDER BY initial DESC, created_at, rowid") else {
            throw ClerkError.resourceMissing("role_set")
        }
        return set
    }

    /// Returns the role of members who join without an invitation.
    func defaultRole(of organization: OrganizationRecord) throws -> RoleRecord? {
        try prepare()
        let set = try context.db.find(RoleSetRecord.self, "key = \(organization.roleSetKey)")
        return try set?.defaultRole.flatMap { try role($0) }
    }

    /// Changes the key of a role in members, invitations and role sets.
    func rename(_ former: String, to key: String) throws {
        try context.db.run("UPDATE memberships SET role = \(key) WHERE role = \(former)")
        try context.db.run("UPDATE tickets SET role = \(key) WHERE role = \(former)")
        for var set in try context.db.all(RoleSetRecord.self, "1 = 1") where set.roles.contains(former) {
            set.roles = set.roles.map { $0 == former ? key : $0 }
            if set.defaultRole == former { set.defaultRole = key }
            if set.creatorRole == former { set.creatorRole = key }
            set.updatedAt = context.now
            try context.db.save(set)
        }
    }

    /// Returns the number of members with a role.
    func members(with role: RoleRecord) throws -> Int {
        try context.db.count(MembershipRecord.self, "role = \(role.key)")
    }

    /// Throws an error if a role that is about to be removed is still needed.
    func checkUnused(_ role: RoleRecord) throws {
        let sets = try context.db.all(RoleSetRecord.self, "1 = 1")
        if sets.contains(where: { $0.creatorRole == role.key }) { throw ClerkError.creatorRole }
        if sets.contains(where: { $0.defaultRole == role.key }) { throw ClerkError.domainRole }
        if try members(with: role) > 0 { throw ClerkError.assignedRole }
        let invited = try context.db.count(
            TicketRecord.self, "kind = 'organization_invitation' AND status = 'pending' AND role = \(role.key)")
        if invited > 0 { throw ClerkError.invitedRole }
    }

    /// Creates the roles of a new instance.
    func prepare() throws {
        guard try context.db.count(RoleRecord.self, "1 = 1") == 0 else { return }
        let now = context.now
        for permission in SystemPermission.allCases {
            try context.db.save(
                PermissionRecord(
                    id: context.id(.permission), key: permission.rawValue, name: permission.title, summary: permission.title,
                    isSystems: true, createdAt: now, updatedAt: now))
        }
        try context.db.save(
            RoleRecord(
                id: context.id(.role), key: "org:admin", name: "Admin", summary: "Role with elevated permissions",
                permissions: SystemPermission.allCases.map(\.rawValue), createdAt: now, updatedAt: now))
        try context.db.save(
            RoleRecord(
                id: context.id(.role), key: "org:member", name: "Member", summary: "Role with non-privileged permissions",
                permissions: [SystemPermission.readMemberships.rawValue], createdAt: now, updatedAt: now))
        try context.db.save(
            RoleSetRecord(
                id: context.id(.roleSet), key: Self.firstSet, name: "Default", summary: nil, isInitial: true,
                roles: ["org:admin", "org:member"], defaultRole: "org:member", creatorRole: "org:admin", createdAt: now,
                updatedAt: now))
    }
}
