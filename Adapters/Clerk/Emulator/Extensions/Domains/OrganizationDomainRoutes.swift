import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/organizations/{organization_id}/domains`, with verification by email only.
struct OrganizationDomainRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        let organization = try context.organizationWithDomains(.readDomains)
        var condition: SQL = "organization_id = \(organization.id)"
        let modes = context.query.list("enrollment_mode") + context.query.list("enrollment_mode[]")
        if !modes.isEmpty { condition += " AND enrollment_mode IN (\(list: modes))" }
        var rows = try context.db.all(OrganizationDomainRecord.self, "\(condition) ORDER BY created_at DESC, rowid DESC")
        if let isVerified = try context.query.flag("verified") { rows = rows.filter { $0.isVerified == isVerified } }
        let (page, total) = try context.page(of: rows)
        return .resource(.page(try page.map(context.organizationJSON.domain), total: total))
    }

    func create() throws -> Answer {
        let organization = try context.organizationWithDomains(.manageDomains)
        let mode = try mode()
        if mode != .manual { throw ClerkError.domainNotVerified(try context.form.required("name")) }
        return .resource(
            try context.organizationJSON.domain(
                try context.organizationDomains.make(try context.form.required("name"), mode: mode, of: organization)))
    }

    /// Creates the domains that it can, and returns the error code for each of the others.
    func createAll() throws -> Answer {
        let organization = try context.organizationWithDomains(.manageDomains)
        let names = context.form.list("names")
        guard !names.isEmpty else { throw ClerkError.missing("names") }
        var made: [JSON] = []
        var errors: [JSON] = []
        for name in names {
            do {
                made.append(
                    try context.organizationJSON.domain(
                        try context.organizationDomains.make(name, mode: .manual, of: organization)))
            } catch let refusal as ClerkError {
                errors.append(["name": .string(name), "code": .string(refusal.code)])
            }
        }
        return .resource(["data": .array(made), "errors": .array(errors)])
    }

    func get() throws -> Answer {
        let organization = try context.organizationWithDomains(.readDomains)
        return .resource(try context.organizationJSON.domain(try domain(of: organization)))
    }

    func delete() throws -> Answer {
        let domain = try domain(of: try context.organizationWithDomains(.manageDomains))
        try context.organizationDomains.delete(domain)
        return .resource(["object": "organization_domain", "id": .string(domain.id), "deleted": true])
    }

    func updateMode() throws -> Answer {
        var domain = try domain(of: try context.organizationWithDomains(.manageDomains))
        _ = try context.form.required("enrollment_mode")
        let mode = try mode()
        if mode != .manual, !domain.isVerified { throw ClerkError.domainNotVerified(domain.name) }
        if try context.form.flag("delete_pending") == true { try context.organizationDomains.deletePending(domain) }
        domain.mode = mode
        try context.organizationDomains.save(&domain)
        return .resource(try context.organizationJSON.domain(domain))
    }

    /// Emails a code to an address of the domain.
    func prepareAffiliation() throws -> Answer {
        var domain = try domain(of: try context.organizationWithDomains(.manageDomains))
        guard let address = EmailAddress(try context.form.required("affiliation_email_address"))?.text else {
            throw ClerkError.malformed("affiliation_email_address", "affiliation_email_address must be a valid email address.")
        }
        guard address.hasSuffix("@" + domain.name) else { throw ClerkError.domainMismatch }
        if domain.affiliation?.isVerified == true { throw ClerkError.alreadyVerified }
        let previous = domain.affiliationAddress == address ? domain.affiliation : nil
        var proof = try context.proofs.sendCode("affiliation_email_code", to: .email(address), after: previous)
        proof.target = nil
        domain.affiliationAddress = address
        domain.affiliation = proof
        try context.organizationDomains.save(&domain)
        return .resource(try context.organizationJSON.domain(domain))
    }

    func attemptAffiliation() throws -> Answer {
        let organization = try context.organizationWithDomains(.manageDomains)
        var domain = try domain(of: organization)
        let code = try context.form.required("code")
        if let refusal = context.proofs.attempt(&domain.affiliation, strategy: nil, code: code) {
            try context.organizationDomains.save(&domain)
            throw refusal.keepingChanges()
        }
        try context.organizationDomains.checkFree(domain.name, for: organization)
        domain.affiliation?.verifiedAt = context.now
        try context.organizationDomains.save(&domain)
        return .resource(try context.organizationJSON.domain(domain))
    }

    /// Returns the DNS record that the domain would have to contain.
    func prepareOwnership() throws -> Answer {
        var domain = try domain(of: try context.organizationWithDomains(.manageDomains))
        try prepareOwnership(&domain)
        return .resource(try context.organizationJSON.domain(domain))
    }

    /// Counts an attempt.
    ///
    /// The emulator sends no DNS requests, so only an administrator can verify the domain.
    func attemptOwnership() throws -> Answer {
        var domain = try domain(of: try context.organizationWithDomains(.manageDomains))
        try attemptOwnership(&domain)
        return .resource(try context.organizationJSON.domain(domain))
    }

    func prepareAllOwnerships() throws -> Answer { try forAll(prepareOwnership) }
    func attemptAllOwnerships() throws -> Answer { try forAll(attemptOwnership) }

    private func prepareOwnership(_ domain: inout OrganizationDomainRecord) throws {
        if domain.ownership?.isVerified == true { throw ClerkError.alreadyVerified }
        var proof = Verification(object: "verification_dns", strategy: "txt", attempts: 0)
        proof.expireAt = context.now + .seconds(7 * 86_400)
        proof.nonce = context.nextID(of: "txt") { "clerk-verification=" + $0.text(32) }
        domain.ownership = proof
        try context.organizationDomains.save(&domain)
    }

    private func attemptOwnership(_ domain: inout OrganizationDomainRecord) throws {
        guard let proof = domain.ownership else { throw ClerkError.verificationMissing }
        if proof.isVerified { throw ClerkError.alreadyVerified }
        if proof.status(at: context.now) == .expired { throw ClerkError.verificationExpired }
        domain.ownership?.attempts = (proof.attempts ?? 0) + 1
        try context.organizationDomains.save(&domain)
    }

    /// Applies a change to every domain in the request, and returns the error code for each rejected domain.
    private func forAll(_ body: (inout OrganizationDomainRecord) throws -> Void) throws -> Answer {
        let organization = try context.organizationWithDomains(.manageDomains)
        let ids = context.form.list("organization_domain_ids")
        guard !ids.isEmpty else { throw ClerkError.missing("organization_domain_ids") }
        var done: [JSON] = []
        var errors: [JSON] = []
        for id in ids {
            do {
                var domain = try context.organizationDomains.find(id, of: organization)
                try body(&domain)
                done.append(try context.organizationJSON.domain(domain))
            } catch let refusal as ClerkError {
                errors.append(["id": .string(id), "code": .string(refusal.code)])
            }
        }
        return .resource(["data": .array(done), "errors": .array(errors)])
    }

    private func domain(of organization: OrganizationRecord) throws -> OrganizationDomainRecord {
        try context.organizationDomains.find(context.piece("domain_id"), of: organization)
    }

    private func mode() throws -> EnrollmentMode {
        try context.form.text("enrollment_mode").map { try context.organizationDomains.mode($0) } ?? .manual
    }
}
