import LockstepPrimitives

/// Connections that users manage themselves: below `/v1/organizations/{organization_id}`, and below `/v1/me` for
/// compatibility.
///
/// Such a connection belongs to the session's organization, and so do its domains.
struct EnterpriseConnectionRoutes {
    let context: RequestContext
    /// Whether the path names the organization.
    let isOfOrganization: Bool

    /// Returns the active connections of the user's verified primary address; in an organization, returns the
    /// organization's own connections.
    func list() throws -> Answer {
        let user = try context.user
        var found = try context.enterpriseConnections.all("active = 1 ORDER BY created_at, rowid")
        var isLinking = false
        if isOfOrganization {
            let organization = try sessionOrganization()
            found = found.filter { $0.organizationID?.exact == organization.id.exact }
            isLinking = try context.query.flag("with_organization_account_linking") ?? false
        }
        if isLinking {
            found = found.filter(\.allowsOrganizationLinking)
        } else {
            let address = try provenAddress(of: user)
            found = found.filter { connection in address.map { connection.covers($0) } ?? false }
        }
        return .resource(.array(found.map { context.enterpriseJSON.connection($0, isPrivate: false) }))
    }

    func create() throws -> Answer {
        var draft = try draft(isNew: true)
        let organization = try manageable()
        draft.organizationID = organization.id
        try checkDomains(draft.domains ?? [], of: organization)
        if draft.name == nil {
            draft.name = try provenAddress(of: try context.user).map { EnterpriseConnections.domain(of: $0) } ?? organization.name
        }
        return .created(context.enterpriseJSON.connection(try draft.make(in: context), isPrivate: false))
    }

    func update() throws -> Answer {
        let draft = try draft(isNew: false)
        let organization = try manageable()
        var connection = try own(organization)
        if draft.domains?.isEmpty == false {
            try checkDomains(draft.domains ?? [], of: organization)
        } else if draft.isActive == true, !connection.isActive {
            // While the connection was switched off, the domain may have been assigned to another organization.
            try checkDomains(connection.domains, of: organization)
        }
        try draft.apply(to: &connection, in: context)
        return .resource(context.enterpriseJSON.connection(connection, isPrivate: false))
    }

    func delete() throws -> Answer {
        .resource(try context.enterpriseConnections.delete(try own(try manageable())))
    }

    func testRuns() throws -> Answer {
        let query = context.query
        return .resource(
            try context.enterpriseTestRuns.list(
                try own(try manageable()), statuses: query.list("status") + query.list("status[]")))
    }

    func createTestRun() throws -> Answer {
        .resource(try context.enterpriseTestRuns.make(for: try own(try manageable())))
    }

    /// Returns the session's organization, whose connections the user may manage.
    private func manageable() throws -> OrganizationRecord {
        guard context.settings.enterprise.isSelfServed else { throw ClerkError.featureNotEnabled }
        let organization = try sessionOrganization()
        let user = try context.user
        guard let membership = try context.organizations.membership(of: user.id, in: organization.id) else {
            throw ClerkError.notAMember
        }
        let role = try context.roles.role(membership.role)
        guard role?.permissions.contains(SystemPermission.manageConnections.rawValue) == true else {
            throw ClerkError.missingPermission(.manageConnections)
        }
        if let id = context.form.text("organization_id"), id.exact != organization.id.exact {
            throw ClerkError.noOrganizationForConnection
        }
        return organization
    }

    private func sessionOrganization() throws -> OrganizationRecord {
        let session = try context.session
        guard context.settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        guard let id = session.organizationID, let organization = try context.organizations.find(id),
            !isOfOrganization || [organization.id, organization.slug].contains(context.piece("organization_id"))
        else { throw ClerkError.noOrganizationForConnection }
        return organization
    }

    private func own(_ organization: OrganizationRecord) throws -> EnterpriseConnectionRecord {
        let connection = try context.enterpriseConnections.find(context.piece("enterprise_connection_id"))
        guard connection.organizationID?.exact == organization.id.exact else { throw ClerkError.notFound(connection.id) }
        return connection
    }

    /// Checks that the organization has every domain, has verified it, and uses it for connections (clerk-fapi,
    /// createOrganizationEnterpriseConnection).
    private func checkDomains(_ names: [String], of organization: OrganizationRecord) throws {
        let domains = try context.db.all(OrganizationDomainRecord.self, "organization_id = \(organization.id)")
        for name in names.map({ $0.trimmed.lowercased() }) {
            guard
                domains.contains(where: { $0.name == name && $0.isForConnections })
            else { throw ClerkError.invalidValue("domains", String(name.prefix(60))) }
        }
    }

    private func provenAddress(of user: UserRecord) throws -> String? {
        guard let id = user.primaryEmailID, let row = try context.db.find(IdentificationRecord.self, "id = \(id)"), row.isVerified
        else { return nil }
        return row.value
    }

    private func draft(isNew: Bool) throws -> EnterpriseConnectionDraft {
        let form = context.form
        let fields = EnterpriseConnectionDraft.openIDFields.map { "oidc_" + $0 }
        let later = ["active", "sync_user_attributes", "disable_additional_identifications"]
        let names = fields + ["name"] + (isNew ? ["provider"] : later) + (isOfOrganization ? [] : ["organization_id"])
        // Fields of SAML are rejected because of their values: no connection here supports SAML.
        let saml = form.names.filter { $0.hasPrefix("saml_") }
        try form.check(.form(names + saml, lists: ["domains"]))
        if let name = saml.first, form.text(name) != nil, form.text("provider")?.hasPrefix("saml_") != true {
            throw ClerkError.disallowed(name, when: "provider", is: "an OpenID provider")
        }
        var draft = EnterpriseConnectionDraft(
            name: form.text("name"), provider: form["provider"], domains: form.list("domains"),
            isActive: try form.flag("active"))
        draft.prefix = "oidc_"
        try draft.readOpenID(
            text: { name throws(ClerkError) in form["oidc_" + name] },
            flag: { name throws(ClerkError) in try form.flag("oidc_" + name) })
        draft.syncsAttributes = try form.flag("sync_user_attributes")
        draft.refusesMoreIdentifications = try form.flag("disable_additional_identifications")
        return draft
    }
}

/// The pages of a test run, which the run's URL opens.
struct EnterpriseTestRoutes {
    let context: RequestContext

    private var connection: String { context.piece("enterprise_connection_id") }

    func begin() throws -> Answer {
        context.redirect = try context.enterpriseTestRuns.begin(connection, ticket: try context.query.required("ticket"))
        context.call.redirectStatus = 301
        return .page("Go on to the provider.")
    }

    func result() throws -> Answer {
        .page(
            try context.enterpriseTestRuns.page(
                connection, run: context.piece("test_run_id"), token: try context.query.required("token")))
    }
}
