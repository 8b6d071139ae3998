import LockstepEmulation
import LockstepPrimitives

/// `/v1/email_addresses` and `/v1/phone_numbers`.
struct AdminIdentificationRoutes {
    let context: RequestContext
    let kind: IdentificationRecord.Kind

    /// The members of ``create()``.
    static func createBody(_ kind: IdentificationRecord.Kind) -> BodySchema {
        updateBody(kind).adding(["user_id": .text, kind.rawValue: .text])
    }

    /// The members of ``update()``.
    static func updateBody(_ kind: IdentificationRecord.Kind) -> BodySchema {
        ["verified": .flag, "primary": .flag, own(kind): .flag]
    }

    /// The members of ``replace()``.
    static func replaceBody(_ kind: IdentificationRecord.Kind) -> BodySchema {
        [kind.rawValue: .text, "identification_status": .text, own(kind): .flag]
    }

    private static func own(_ kind: IdentificationRecord.Kind) -> String {
        kind == .phone ? "reserved_for_second_factor" : "notify_primary_email_address_changed"
    }

    /// Adds an address; it is not verified unless `verified` says so, and the first one is the primary one.
    func create() throws -> Answer {
        var user = try context.user(try context.fields.required("user_id"))
        let text = try context.fields.required(kind.rawValue)
        guard let value = kind == .email ? EmailAddress(text)?.text : PhoneNumber(text)?.text else {
            throw ClerkError.malformed(kind.rawValue, "\(kind.rawValue) must be a valid \(kind.rawValue).")
        }
        let isVerified = try context.fields.flag("verified") ?? false
        let isFirst = try context.users.identifications(of: user).allSatisfy { $0.kind != kind }
        let row = try context.users.add(kind, value, to: &user, verification: isVerified ? .given(by: "admin") : nil)
        return .resource(try settle(row, &user, isFirst: isFirst))
    }

    func get() throws -> Answer { .resource(try json(try row())) }

    func update() throws -> Answer {
        var row = try row()
        var user = try context.user(row.userID)
        if let isVerified = try context.fields.flag("verified") { row.verification = isVerified ? .given(by: "admin") : nil }
        return .resource(try settle(row, &user))
    }

    func delete() throws -> Answer {
        let row = try row()
        var user = try context.user(row.userID)
        let rows = try context.users.identifications(of: user)
        if rows.count == 1, user.username == nil, try context.users.externalAccounts(of: user).isEmpty {
            throw ClerkError.lastIdentification
        }
        try context.db.run("DELETE FROM identifications WHERE id = \(row.id)")
        let next = rows.first { $0.kind == kind && $0.id.exact != row.id.exact && $0.isVerified }?.id
        if user.primaryEmailID?.exact == row.id.exact { user.primaryEmailID = next }
        if user.primaryPhoneID?.exact == row.id.exact { user.primaryPhoneID = next }
        try context.users.save(&user)
        return .resource(["object": .string(kind.rawValue), "id": .string(row.id), "deleted": true])
    }

    /// Replaces all addresses of the user with one address: verified, reserved, or neither.
    func replace() throws -> Answer {
        var user = try context.namedUser()
        let text = try context.fields.required(kind.rawValue)
        guard let value = kind == .email ? EmailAddress(text)?.text : PhoneNumber(text)?.text else {
            throw ClerkError.malformed(kind.rawValue, "\(kind.rawValue) must be a valid \(kind.rawValue).")
        }
        let status = try context.fields.text("identification_status") ?? "verified"
        guard ["verified", "reserved", "unverified"].contains(status) else {
            throw ClerkError.invalidValue("identification_status", String(status.prefix(40)))
        }
        if let owner = try context.users.claimed(kind, value), owner.userID.exact != user.id.exact {
            throw ClerkError.taken(kind.rawValue)
        }
        let rows = try context.users.identifications(of: user).filter { $0.kind == kind }
        let linked = Set(try context.users.externalAccounts(of: user).compactMap(\.linkedEmailID?.exact))
        guard rows.allSatisfy({ !linked.contains($0.id.exact) }) else { throw ClerkError.lastIdentification }
        for row in rows { try context.db.run("DELETE FROM identifications WHERE id = \(row.id)") }
        if kind == .email { user.primaryEmailID = nil } else { user.primaryPhoneID = nil }
        let row = try context.users.add(
            kind, value, to: &user, verification: status == "verified" ? .given(by: "admin") : nil,
            isReserved: status == "reserved")
        if kind == .email { user.primaryEmailID = row.id } else { user.primaryPhoneID = row.id }
        try context.users.save(&user)
        return .resource(try json(row))
    }

    private func settle(_ changed: IdentificationRecord, _ user: inout UserRecord, isFirst: Bool = false) throws -> JSON {
        var row = changed
        if let isReserved = try context.fields.flag("reserved_for_second_factor"), kind == .phone {
            row.isSecondFactor = isReserved
        }
        row.updatedAt = context.now
        try context.db.save(row)
        if try context.fields.flag("primary") ?? isFirst {
            if kind == .email { user.primaryEmailID = row.id } else { user.primaryPhoneID = row.id }
        } else if row.isVerified {
            context.users.makePrimaryWhereNone(row, &user)
        }
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        return try json(row)
    }

    private func row() throws -> IdentificationRecord {
        try context.named("identification_id") {
            try context.db.find(IdentificationRecord.self, "id = \($0) AND kind = \(kind.rawValue)")
        }
    }

    private func json(_ row: IdentificationRecord) throws -> JSON {
        let user = try context.user(row.userID)
        return try context.userJSON.identification(row, try context.users.externalAccounts(of: user))
    }
}
