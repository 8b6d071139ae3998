import LockstepEmulation
import LockstepPrimitives

/// `/v1/me/email_addresses` and `/v1/me/phone_numbers`, which differ only slightly.
struct IdentificationRoutes {
    let context: RequestContext
    let kind: IdentificationRecord.Kind

    /// The members of ``create()``.
    static func createBody(_ kind: IdentificationRecord.Kind) -> BodySchema {
        kind == .email ? .form(kind.rawValue) : .form(kind.rawValue, "reserved_for_second_factor")
    }

    private var name: String { kind.rawValue }

    /// The members of ``prepare()``.
    static let prepareBody: BodySchema = .form(
        "strategy", "redirect_url", "action_complete_redirect_url", "channel", "enterprise_connection_id", "redirect_uri",
        "code_challenge", "code_challenge_method")

    /// The list, without an envelope.
    func list() throws -> Answer {
        let user = try context.user
        let accounts = try context.users.externalAccounts(of: user)
        let rows = try context.users.identifications(of: user).filter { $0.kind == kind }
        return .bare(.array(try rows.map { try context.userJSON.identification($0, accounts) }))
    }

    func get() throws -> Answer { try answer(try own(try context.user)) }

    /// Adds an address that must still be verified.
    func create() throws -> Answer {
        guard context.settings.requirement(of: name).isEnabled else { throw ClerkError.featureNotEnabled }
        var user = try context.freshUser()
        let value = try read(try context.form.required(name))
        if try context.form.flag("reserved_for_second_factor") == true { throw ClerkError.verificationMissing }
        try context.extensions.checkAdditions(to: user)
        try context.restrictions.checkNew([value])
        return try answer(try context.users.add(kind, value, to: &user, verification: nil))
    }

    /// Makes a verified number a second factor, or no longer one.
    func update() throws -> Answer {
        var user = try context.user
        var row = try own(user)
        if let isReserved = try context.form.flag("reserved_for_second_factor") {
            if isReserved, !row.isVerified { throw ClerkError.verificationMissing }
            if isReserved, user.primaryEmailID == nil, user.username == nil { throw ClerkError.identificationUpdate }
            row.isSecondFactor = isReserved
            if !isReserved { row.isDefaultSecondFactor = false }
        }
        if let isDefault = try context.form.flag("default_second_factor"), row.isSecondFactor {
            if isDefault {
                try context.db.run("UPDATE identifications SET default_second_factor = 0 WHERE user_id = \(user.id)")
            }
            row.isDefaultSecondFactor = isDefault
        }
        row.updatedAt = context.now
        try context.db.save(row)
        let factors = context.secondFactors
        let hadCodes = try factors.of(user).hasBackupCodes
        try factors.settle(&user)
        try context.users.save(&user)
        var codes: [String]?
        if row.isSecondFactor, !hadCodes, context.settings.secondFactors.contains(.backupCode) {
            codes = try factors.renewBackupCodes(of: user)
        }
        return try answer(row, backupCodes: codes)
    }

    func delete() throws -> Answer {
        var user = try context.user
        let row = try own(user)
        let rows = try context.users.identifications(of: user)
        let accounts = try context.users.externalAccounts(of: user)
        if accounts.contains(where: { $0.linkedEmailID?.exact == row.id.exact }) { throw ClerkError.linkedIdentification }
        if rows.count == 1, user.username == nil, accounts.isEmpty { throw ClerkError.lastIdentification }
        if context.settings.requirement(of: name) == .required, rows.filter({ $0.kind == kind }).count == 1 {
            throw ClerkError.lastRequiredIdentification(kind == .email ? "email address" : "phone number")
        }
        try context.db.run("DELETE FROM identifications WHERE id = \(row.id)")
        let next = rows.first { $0.kind == kind && $0.id.exact != row.id.exact && $0.isVerified }?.id
        if user.primaryEmailID?.exact == row.id.exact { user.primaryEmailID = next }
        if user.primaryPhoneID?.exact == row.id.exact { user.primaryPhoneID = next }
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        return .resource(["id": .string(row.id), "object": .string(name), "deleted": true])
    }

    func prepare() throws -> Answer {
        var row = try own(try context.user)
        let strategy = kind == .phone ? context.form.text("strategy") ?? "phone_code" : try context.form.required("strategy")
        if row.isVerified { throw ClerkError.alreadyVerified }
        // The lists may have changed since the address was added.
        try context.restrictions.checkNew([row.value])
        let other = Extensions.strategy(strategy)
        if other == nil { try context.extensions.checkNotReserved(row.value) }
        switch (kind, strategy) {
        case (.email, _) where other != nil: row.verification = try other?.addressVerification(context, row)
        case (.email, "email_code") where context.settings.emailVerification.contains(.code):
            row.verification = try context.proofs.sendCode(
                strategy, to: .email(row.value), target: row.id, after: row.verification)
        case (.email, "email_link") where context.settings.emailVerification.contains(.link):
            let (link, url) = try context.links.make(.identification, attempt: row.id)
            row.verification = try context.proofs.sendLink(
                to: row.value, target: row.id, after: row.verification, link, url: url)
        case (.phone, "phone_code"):
            row.verification = try context.proofs.sendCode(
                strategy, to: .phone(row.value), target: row.id, after: row.verification)
        case (.email, "email_code"), (.email, "email_link"): throw ClerkError.disabledStrategy(strategy)
        default: throw ClerkError.invalidValue("strategy", String(strategy.prefix(60)))
        }
        row.updatedAt = context.now
        try context.db.save(row)
        return try answer(row)
    }

    func attempt() throws -> Answer {
        var user = try context.user
        var row = try own(user)
        try context.lockout.check(user)
        // The code may have been emailed before the domain had a connection.
        try context.extensions.checkNotReserved(row.value)
        try context.restrictions.checkNew([row.value])
        let refusal = context.proofs.attempt(
            &row.verification, strategy: nil, code: try context.form.required("code"))
        if let refusal {
            guard refusal.code == ClerkError.wrongCode.code else { throw refusal }
            try context.db.save(row)
            throw try context.lockout.refusal(refusal, countedFor: user)
        }
        row.isReserved = false
        row.updatedAt = context.now
        try context.db.save(row)
        context.users.makePrimaryWhereNone(row, &user)
        try context.users.save(&user)
        return try answer(row)
    }

    private func read(_ text: String) throws -> String {
        switch kind {
        case .email:
            guard let address = EmailAddress(text) else {
                throw ClerkError.malformed(name, "\(name) must be a valid email address.")
            }
            return address.text
        case .phone:
            guard let number = PhoneNumber(text) else {
                throw ClerkError.malformed(
                    name, "\(name) must be a valid phone number according to E.164 international standard.")
            }
            return number.text
        }
    }

    private func own(_ user: UserRecord) throws -> IdentificationRecord {
        let id = context.piece("identification_id")
        guard let row = try context.db.find(IdentificationRecord.self, "id = \(id)"), row.userID.exact == user.id.exact,
            row.kind == kind
        else {
            throw ClerkError.notFound(id)
        }
        return row
    }

    private func answer(_ row: IdentificationRecord, backupCodes: [String]? = nil) throws -> Answer {
        let accounts = try context.users.externalAccounts(of: try context.user)
        guard case .object(var json) = try context.userJSON.identification(row, accounts) else {
            return .resource(.null)
        }
        if let backupCodes { json["backup_codes"] = .strings(backupCodes) }
        return .resource(.object(json))
    }
}

/// The message to the former primary address about its replacement, so that its owner notices a change by an attacker
/// (https://clerk.com/docs/authentication/configuration/email-sms-templates, "Primary email address changed").
struct AddressNotice {
    let context: RequestContext

    /// Notifies the former primary address, if there was one and it has changed.
    func tell(_ former: String?, changedTo current: String?) throws {
        guard let former, let current, former != current, let old = try row(former), let new = try row(current),
            EmailAddress(old.value)?.isTest != true
        else { return }
        let text =
            "The primary address of your account at \(context.settings.applicationName) is \(new.value) now.\n\n"
            + "If you did not do this, tell us."
        try context.mail(
            "primary_email_address_changed", to: old.value,
            subject: "Your primary address at \(context.settings.applicationName) was changed", text: text)
    }

    private func row(_ id: String) throws -> IdentificationRecord? {
        try context.db.find(IdentificationRecord.self, "id = \(id)")
    }
}
