import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// The way in which users join an organization if their email address belongs to its domain.
public enum EnrollmentMode: String, ColumnValue, Sendable, Hashable, CaseIterable {
    /// Users join only after a manual invitation.
    case manual = "manual_invitation"
    /// Users automatically receive an invitation.
    case invitation = "automatic_invitation"
    /// Users automatically receive a suggestion, and can then request membership.
    case suggestion = "automatic_suggestion"
    /// Users sign in with the organization's identity provider, and become members.
    case enterprise = "enterprise_sso"
}

/// A domain of an organization.
struct OrganizationDomainRecord: Record {
    var id: String
    var organizationID: String
    var name: String
    var mode: EnrollmentMode
    /// The address that receives a code, to verify that the organization belongs to the domain.
    var affiliationAddress: String?
    var affiliation: Verification?
    /// The verification that the domain belongs to the organization, which only an administrator can complete here.
    var ownership: Verification?
    var createdAt: Instant
    var updatedAt: Instant

    var isVerified: Bool { affiliation?.isVerified == true || ownership?.isVerified == true }
    /// Whether an enterprise connection of the organization may have the domain.
    var isForConnections: Bool { mode == .enterprise && ownership?.isVerified == true }
}

extension OrganizationDomainRecord {
    init() { self.init(id: "", organizationID: "", name: "", mode: .manual, createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<OrganizationDomainRecord>(
        "organization_domains",
        [
            Column("id", \.id, .key), Column("organization_id", \.organizationID, .belongs(to: "organizations")),
            Column("name", \.name), Column("enrollment_mode", \.mode), Column("affiliation_address", \.affiliationAddress),
            Column("affiliation", \.affiliation), Column("ownership", \.ownership), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ],
        rules: ["UNIQUE (organization_id, name)"])
}

/// The rules of domains.
struct OrganizationDomains {
    let context: RequestContext

    /// The maximum number of domains of one organization.
    static let limit = 10

    /// The domains of public email providers, which do not belong to an organization.
    static let common: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "icloud.com", "me.com", "aol.com",
        "gmx.de", "gmx.net", "web.de", "proton.me", "protonmail.com", "mail.com", "yandex.com",
    ]

    func find(_ id: String, of organization: OrganizationRecord) throws -> OrganizationDomainRecord {
        guard
            let domain = try context.db.find(
                OrganizationDomainRecord.self, "id = \(id) AND organization_id = \(organization.id)")
        else { throw ClerkError.notFound(id) }
        return domain
    }

    /// Stores a change.
    ///
    /// If the domain is no longer for connections, its connections end.
    func save(_ domain: inout OrganizationDomainRecord) throws {
        let former = try context.db.find(OrganizationDomainRecord.self, "id = \(domain.id)")
        if former?.isForConnections == true, !domain.isForConnections { try endConnections(by: domain) }
        domain.updatedAt = context.now
        try context.db.save(domain)
        try context.emit("organizationDomain.updated", domain.id, try context.organizationJSON.domain(domain))
    }

    private func endConnections(by domain: OrganizationDomainRecord) throws {
        try context.enterpriseConnections.deactivate(of: domain.organizationID, by: domain.name)
    }

    /// Removes a domain, and the open invitations and suggestions of its mode.
    func delete(_ domain: OrganizationDomainRecord) throws {
        if domain.isForConnections { try endConnections(by: domain) }
        try deletePending(domain)
        try context.db.run("DELETE FROM organization_domains WHERE id = \(domain.id)")
        try context.emitDeleted("organization_domain", domain.id)
    }

    /// Creates a domain; an unverified domain has no effect.
    func make(
        _ text: String, mode: EnrollmentMode, isVerified: Bool = false, of organization: OrganizationRecord
    ) throws -> OrganizationDomainRecord {
        let name = text.trimmed.lowercased()
        guard EmailAddress("a@" + name) != nil else { throw ClerkError.malformed("name", "name must be a domain name.") }
        if Self.common.contains(name) { throw ClerkError.commonDomain }
        let own = try context.db.all(OrganizationDomainRecord.self, "organization_id = \(organization.id)")
        if own.contains(where: { $0.name == name }) { throw ClerkError.domainIsOwn }
        if own.count >= Self.limit { throw ClerkError.domainQuota(Self.limit) }
        let proof = isVerified ? try ownership(of: name, by: organization) : nil
        let domain = OrganizationDomainRecord(
            id: context.id(.organizationDomain), organizationID: organization.id, name: name, mode: mode, ownership: proof,
            createdAt: context.now, updatedAt: context.now)
        try context.db.save(domain)
        try context.emit("organizationDomain.created", domain.id, try context.organizationJSON.domain(domain))
        return domain
    }

    /// Returns a verification, by an administrator, that the domain belongs to the organization.
    func ownership(of name: String, by organization: OrganizationRecord) throws -> Verification {
        try checkFree(name, for: organization)
        var proof = Verification(object: "verification_admin", strategy: "manual_override", status: .verified)
        proof.verifiedAt = context.now
        return proof
    }

    /// Throws an error if another organization has verified the domain.
    func checkFree(_ name: String, for organization: OrganizationRecord) throws {
        let others = try context.db.all(
            OrganizationDomainRecord.self, "name = \(name) AND organization_id <> \(organization.id)")
        if others.contains(where: \.isVerified) { throw ClerkError.domainIsOthers }
    }

    /// Returns the mode in a request, which the instance must have.
    func mode(_ text: String) throws -> EnrollmentMode {
        guard let mode = EnrollmentMode(rawValue: text) else {
            throw ClerkError.invalidValue("enrollment_mode", String(text.prefix(40)))
        }
        guard context.settings.organizations.enrollmentModes.contains(mode) else { throw ClerkError.enrollmentModeDisabled(text) }
        return mode
    }

    /// Removes the open invitations and suggestions of the domain's mode.
    func deletePending(_ domain: OrganizationDomainRecord) throws {
        try context.db.run("DELETE FROM enrollments WHERE domain_id = \(domain.id) AND status = 'pending'")
        try context.db.run("DELETE FROM tickets WHERE domain_id = \(domain.id) AND status = 'pending'")
    }

    /// Creates the invitations and suggestions for a user's verified addresses.
    ///
    /// An organization that is full, or whose role no longer exists, creates nothing. The user's request still
    /// succeeds.
    func enroll(_ user: UserRecord) throws {
        let rules = context.settings.organizations
        guard rules.isEnabled, rules.hasDomains else { return }
        let organizations = context.organizations
        let rows = try context.users.identifications(of: user).filter { $0.kind == .email && $0.isVerified }
        for row in rows {
            let name = row.value.pieces(at: "@").last.map(String.init) ?? ""
            for domain in try context.db.all(OrganizationDomainRecord.self, "name = \(name)")
            where domain.isVerified && rules.enrollmentModes.contains(domain.mode) {
                guard try organizations.membership(of: user.id, in: domain.organizationID) == nil,
                    let organization = try organizations.find(domain.organizationID)
                else { continue }
                switch domain.mode {
                case .manual, .enterprise: continue
                case .invitation: try invite(row.value, domain, organization)
                case .suggestion: try suggest(user, domain)
                }
            }
        }
    }

    private func invite(_ address: String, _ domain: OrganizationDomainRecord, _ organization: OrganizationRecord) throws {
        let known = try context.db.count(
            TicketRecord.self,
            "kind = 'organization_invitation' AND organization_id = \(organization.id) AND email_address = \(address)")
        guard known == 0, try context.organizations.hasRoom(in: organization),
            let role = try context.roles.defaultRole(of: organization)
        else { return }
        _ = try context.organizationInvitations.make(
            .init(address: address, role: role, isMailed: false, domainID: domain.id), to: organization)
    }

    private func suggest(_ user: UserRecord, _ domain: OrganizationDomainRecord) throws {
        let known = try context.db.count(
            EnrollmentRecord.self, "organization_id = \(domain.organizationID) AND user_id = \(user.id) AND kind = 'suggestion'")
        guard known == 0 else { return }
        try context.db.save(
            EnrollmentRecord(
                id: context.id(.suggestion), kind: .suggestion, organizationID: domain.organizationID, userID: user.id,
                domainID: domain.id, status: "pending", createdAt: context.now, updatedAt: context.now))
    }
}

extension OrganizationJSON {
    func domain(_ domain: OrganizationDomainRecord) throws -> JSON {
        let invitations = try context.db.count(TicketRecord.self, "domain_id = \(domain.id) AND status = 'pending'")
        let suggestions = try context.db.count(EnrollmentRecord.self, "domain_id = \(domain.id) AND status = 'pending'")
        return [
            "object": "organization_domain", "id": .string(domain.id), "organization_id": .string(domain.organizationID),
            "name": .string(domain.name), "enrollment_mode": .string(domain.mode.rawValue),
            "affiliation_email_address": .text(domain.affiliationAddress),
            "affiliation_verification": proof(domain.affiliation), "ownership_verification": ownership(domain),
            "verification": proof(
                domain.affiliation?.isVerified == true ? domain.affiliation : domain.ownership ?? domain.affiliation),
            "total_pending_invitations": .int(Int64(invitations)), "total_pending_suggestions": .int(Int64(suggestions)),
            "created_at": .time(domain.createdAt), "updated_at": .time(domain.updatedAt),
        ]
    }

    private func ownership(_ domain: OrganizationDomainRecord) -> JSON {
        guard let value = domain.ownership?.nonce, var json = proof(domain.ownership).object else {
            return proof(domain.ownership)
        }
        json["txt_record_name"] = .string("_clerk." + domain.name)
        json["txt_record_value"] = .string(value)
        return .object(json)
    }

    private func proof(_ verification: Verification?) -> JSON {
        guard let verification else { return .null }
        return [
            "status": .string(verification.status(at: context.now).rawValue), "strategy": .string(verification.strategy),
            "attempts": verification.attempts.map { .int(Int64($0)) } ?? .null, "expire_at": .time(verification.expireAt),
            "verified_at": verification.isVerified ? .time(verification.verifiedAt) : .null,
        ]
    }
}
