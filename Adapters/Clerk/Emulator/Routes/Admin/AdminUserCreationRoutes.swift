import LockstepEmulation
import LockstepPrimitives

/// `POST /v1/users`: makes or imports a user (https://clerk.com/docs/reference/backend-api).
struct AdminUserCreationRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// The members of ``create()``.
    static let createBody: BodySchema = [
        "external_id": .text, "first_name": .text, "last_name": .text, "locale": .text,
        "email_address": .anything, "email_address_identification_status": .anything, "phone_number": .anything,
        "phone_number_identification_status": .anything, "web3_wallet": .anything, "username": .text, "password": .text,
        "password_digest": .text, "password_hasher": .text, "skip_password_checks": .flag,
        "skip_password_requirement": .flag, "totp_secret": .text, "backup_codes": .anything, "public_metadata": .object,
        "private_metadata": .object, "unsafe_metadata": .object, "delete_self_enabled": .flag,
        "legal_accepted_at": .text, "skip_legal_checks": .anything, "skip_user_requirement": .flag,
        "create_organization_enabled": .flag, "create_organizations_limit": .whole, "created_at": .text,
        "bypass_client_trust": .flag, "banned": .flag, "locked": .flag,
    ]

    func create() throws -> Answer {
        try context.users.checkQuota()
        let emails = try addresses(.email)
        let phones = try addresses(.phone)
        var user = UserRecord(id: context.id(.user), at: context.now)
        let edit = AdminUserEdit(context: context)
        try edit.apply(to: &user)
        try checkRequirements(user, emails, phones)
        if let created = try fields.time("created_at") { user.createdAt = created }
        user.isBanned = try fields.flag("banned") ?? false
        if try fields.flag("locked") == true { context.lockout.lock(&user) }
        try context.db.save(user)
        for (kind, list) in [(IdentificationRecord.Kind.email, emails), (.phone, phones)] {
            for (value, isReserved) in list {
                try context.users.add(
                    kind, value, to: &user, verification: isReserved ? nil : .given(by: "admin"), isReserved: isReserved)
            }
        }
        try edit.setPassword(&user, identifiers: (emails + phones).map(\.0) + [user.username].compactMap(\.self))
        try edit.setFactors(&user)
        try context.users.announce(user)
        try context.users.save(&user)
        return .resource(try context.privateJSON(user))
    }

    /// Returns the addresses of a kind, and whether each is only reserved; without a list of statuses, all are
    /// verified.
    private func addresses(_ kind: IdentificationRecord.Kind) throws -> [(String, Bool)] {
        let name = kind.rawValue
        let texts = try fields.texts(name) ?? []
        let statuses = try fields.texts("\(name)_identification_status")
        if let statuses {
            guard statuses.count == texts.count else {
                throw ClerkError.malformed("\(name)_identification_status", "Give exactly one status per \(name).")
            }
            for status in statuses where status != "verified" && status != "reserved" {
                throw ClerkError.invalidValue("\(name)_identification_status", String(status.prefix(40)))
            }
        }
        if !texts.isEmpty, !context.settings.requirement(of: name).isEnabled { throw ClerkError.unknown(name) }
        var seen: Set<ExactString> = []
        return try texts.enumerated().map { index, text in
            let value = kind == .email ? EmailAddress(text)?.text : PhoneNumber(text)?.text
            guard let value else { throw ClerkError.malformed(name, "\(name) must be a valid \(name).") }
            guard seen.insert(value.exact).inserted, try context.users.claimed(kind, value) == nil else {
                throw ClerkError.taken(name)
            }
            return (value, statuses?[index] == "reserved")
        }
    }

    private func checkRequirements(_ user: UserRecord, _ emails: [(String, Bool)], _ phones: [(String, Bool)]) throws {
        if try fields.flag("skip_user_requirement") == true { return }
        let settings = context.settings
        var missing: [String] = []
        if settings.emailAddress == .required, emails.isEmpty { missing.append("email_address") }
        if settings.phoneNumber == .required, phones.isEmpty { missing.append("phone_number") }
        if settings.username == .required, user.username == nil { missing.append("username") }
        if settings.firstName == .required, user.firstName == nil { missing.append("first_name") }
        if settings.lastName == .required, user.lastName == nil { missing.append("last_name") }
        let skipsPassword = try fields.flag("skip_password_requirement") ?? false
        if settings.password == .required, !skipsPassword, !fields.has("password"), !fields.has("password_digest") {
            missing.append("password")
        }
        if emails.isEmpty, phones.isEmpty, user.username == nil, missing.isEmpty { missing.append("email_address") }
        if !missing.isEmpty { throw ClerkError.missingData(missing) }
    }
}
