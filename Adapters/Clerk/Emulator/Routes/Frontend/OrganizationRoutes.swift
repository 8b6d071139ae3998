import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

extension RequestContext {
    /// Returns the organization in the path; the user must be a member, with the permission if one is required.
    func ownOrganization(_ permission: SystemPermission? = nil) throws -> (OrganizationRecord, MembershipRecord) {
        let user = try user
        guard settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        let id = piece("organization_id")
        let repository = organizations
        guard let organization = try repository.find(id) else { throw ClerkError.notFound(id) }
        guard let membership = try repository.membership(of: user.id, in: organization.id) else { throw ClerkError.notAMember }
        if let permission {
            let role = try roles.role(membership.role)
            guard role?.permissions.contains(permission.rawValue) == true else { throw ClerkError.missingPermission(permission) }
        }
        return (organization, membership)
    }

    /// Returns the organization in the path; an error if domains are disabled.
    func organizationWithDomains(_ permission: SystemPermission) throws -> OrganizationRecord {
        let organization = try ownOrganization(permission).0
        guard settings.organizations.hasDomains else { throw ClerkError.domainsDisabled }
        return organization
    }
}

/// `/v1/organizations/{organization_id}` and its roles.
struct OrganizationRoutes {
    let context: RequestContext

    private var repository: OrganizationRepository { context.organizations }

    /// Creates an organization, with the user as its first member.
    func create() throws -> Answer {
        let user = try context.user
        guard context.settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        let organization = try repository.make(name: try name(), slug: context.form.text("slug"), creator: user)
        return .resource(try context.organizationJSON.organization(organization))
    }

    func get() throws -> Answer { .resource(try context.organizationJSON.organization(try context.ownOrganization().0)) }

    func update() throws -> Answer {
        var (organization, _) = try context.ownOrganization(.manageProfile)
        if context.form.has("name") { organization.name = try name() }
        if let slug = context.form.text("slug"), slug != organization.slug {
            organization.slug = try repository.checkedSlug(slug, of: organization.id)
        }
        try repository.save(&organization)
        return .resource(try context.organizationJSON.organization(organization))
    }

    func delete() throws -> Answer {
        let (organization, _) = try context.ownOrganization(.deleteProfile)
        guard organization.allowsAdminDelete else { throw ClerkError.adminDeleteDisabled }
        try repository.delete(organization)
        return .resource(["object": "organization", "id": .string(organization.id), "deleted": true])
    }

    func setLogo() throws -> Answer {
        var (organization, _) = try context.ownOrganization(.manageProfile)
        organization.imageURL = try context.images.store(
            try context.file("file"), replacing: organization.imageURL
        ).url
        try repository.save(&organization)
        return .resource(try context.organizationJSON.organization(organization))
    }

    func deleteLogo() throws -> Answer {
        var (organization, _) = try context.ownOrganization(.manageProfile)
        guard let url = organization.imageURL else { throw ClerkError.imageNotFound }
        try context.images.delete(url)
        organization.imageURL = nil
        try repository.save(&organization)
        return .resource([
            "object": "image", "id": .string(url.pieces(at: "/").last.map(String.init) ?? ""), "deleted": true,
        ])
    }

    /// Returns the roles that members can have: those of the organization's role set.
    func roles() throws -> Answer {
        let (organization, _) = try context.ownOrganization()
        let (roles, total) = try context.page(of: try context.roles.roles(of: organization))
        var list = JSON.page(try roles.map(context.organizationJSON.role), total: total).object ?? [:]
        list["has_role_set_migration"] = false
        return .resource(.object(list))
    }

    /// Returns no suggestions, because the emulator knows nothing about the user's company.
    func creationDefaults() throws -> Answer {
        _ = try context.user
        guard context.settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        return .resource(["form": nil, "advisory": nil])
    }

    private func name() throws -> String {
        let name = try context.form.required("name")
        guard name.count <= 256 else { throw ClerkError.tooLong("name", 256) }
        return name
    }
}
