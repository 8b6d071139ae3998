internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes organizations of a seed as rows, and reads rows as organizations of a seed.
struct SeededOrganizations {
    let context: RequestContext

    /// Writes an organization with its members; the rows are new.
    ///
    /// - Throws: ``UserValueError`` for a value that Clerk cannot store.
    func write(_ seeded: SeedOrganization) throws {
        if let id = seeded.id, !SeededUsers.isID(id, "org_") {
            throw UserValueError.invalid("id", expected: "an id such as org_1")
        }
        let createdAt = seeded.createdAt ?? context.now
        var organization: OrganizationRecord
        do {
            organization = try context.organizations.blank(name: seeded.name, slug: seeded.slug)
        } catch let refusal as ClerkError {
            throw UserValueError.unavailable(refusal.entries.first?.longMessage ?? refusal.code)
        }
        organization.id = seeded.id ?? organization.id
        organization.imageURL = seeded.photoURL
        organization.publicMetadata = seeded.appMetadata
        organization.privateMetadata = seeded.privateMetadata
        organization.createdAt = createdAt
        organization.updatedAt = createdAt
        try context.db.insert(organization)
        for member in seeded.members { try write(member, of: organization) }
    }

    private func write(_ member: SeedOrganization.Member, of organization: OrganizationRecord) throws {
        let address = EmailAddress(member.user)
        let owner = try address.flatMap { try context.users.holder(.email, $0.text)?.userID } ?? member.user
        guard try context.users.find(owner) != nil else {
            throw UserValueError.invalid("members.user", expected: "the id or the address of a user of the seed")
        }
        guard try context.roles.role(member.role) != nil else {
            throw UserValueError.invalid("members.role", expected: "a role such as org:admin or org:member")
        }
        guard try context.organizations.membership(of: owner, in: organization.id) == nil else {
            throw UserValueError.taken("members.user")
        }
        try context.db.insert(
            MembershipRecord(
                id: context.id(.membership), organizationID: organization.id, userID: owner, role: member.role,
                createdAt: organization.createdAt, updatedAt: organization.createdAt))
    }

    /// Reads all organizations, by age.
    func all() throws -> [SeedOrganization] {
        let members = Dictionary(
            grouping: try context.db.all(MembershipRecord.self, "1 = 1 ORDER BY created_at, rowid"), by: \.organizationID.exact)
        return try context.db.all(OrganizationRecord.self, "1 = 1 ORDER BY created_at, rowid").map { organization in
            var seeded = SeedOrganization(id: organization.id, name: organization.name)
            seeded.slug = organization.slug
            seeded.photoURL = organization.imageURL
            seeded.appMetadata = organization.publicMetadata
            seeded.privateMetadata = organization.privateMetadata
            seeded.createdAt = organization.createdAt
            seeded.members = (members[organization.id.exact] ?? []).map { .init(user: $0.userID, role: $0.role) }
            return seeded
        }
    }
}
