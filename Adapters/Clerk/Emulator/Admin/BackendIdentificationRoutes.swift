import LockstepPrimitives

/// `/v1/email_addresses` and `/v1/phone_numbers`.
struct BackendIdentificationRoutes {
    let call: BackendCall
    let kind: IdentificationRecord.Kind

    private var context: RequestContext { call.context }
    private var own: Set<String> { kind == .phone ? ["reserved_for_second_factor"] : ["notify_primary_email_address_changed"] }

    /// Adds an address; it is not proven unless `verified` says so.
    func create() throws -> BackendResponse {
        try call.fields.check(own.union(["user_id", kind.rawValue, "verified", "primary"]))
        var user = try call.user(try call.fields.required("user_id"))
        let text = try call.fields.required(kind.rawValue)
        guard let value = kind == .email ? EmailAddress(text)?.text : PhoneNumber(text)?.text else {
            throw ClerkError.malformed(kind.rawValue, "\(kind.rawValue) must be a valid \(kind.rawValue).")
        }
        let isVerified = try call.fields.flag("verified") ?? false
        let row = try context.users.add(kind, value, to: &user, verification: isVerified ? .given(by: "admin") : nil)
        return .resource(try settle(row, &user))
    }

    func get() throws -> BackendResponse { .resource(try json(try row())) }

    func update() throws -> BackendResponse {
        try call.fields.check(own.union(["verified", "primary"]))
        var row = try row()
        var user = try call.user(row.userID)
        if let isVerified = try call.fields.flag("verified") { row.verification = isVerified ? .given(by: "admin") : nil }
        return .resource(try settle(row, &user))
    }

    func delete() throws -> BackendResponse {
        let row = try row()
        var user = try call.user(row.userID)
        let rows = try context.users.identifications(of: user)
        if rows.count == 1, user.username == nil, try context.users.externalAccounts(of: user).isEmpty {
            throw ClerkError.lastIdentification
        }
        try call.context.db.run("DELETE FROM identifications WHERE id = \(row.id)")
        let next = rows.first { $0.kind == kind && $0.id != row.id && $0.isVerified }?.id
        if user.primaryEmailID == row.id { user.primaryEmailID = next }
        if user.primaryPhoneID == row.id { user.primaryPhoneID = next }
        try context.users.save(&user)
        return .resource(["object": .string(kind.rawValue), "id": .string(row.id), "deleted": true])
    }

    /// Puts one address in place of all that the user has: proven, reserved, or neither.
    func replace() throws -> BackendResponse {
        try call.fields.check(own.union([kind.rawValue, "identification_status"]))
        var user = try call.user()
        let text = try call.fields.required(kind.rawValue)
        guard let value = kind == .email ? EmailAddress(text)?.text : PhoneNumber(text)?.text else {
            throw ClerkError.malformed(kind.rawValue, "\(kind.rawValue) must be a valid \(kind.rawValue).")
        }
        let status = try call.fields.text("identification_status") ?? "verified"
        guard ["verified", "reserved", "unverified"].contains(status) else {
            throw ClerkError.invalidValue("identification_status", String(status.prefix(40)))
        }
        if let owner = try context.users.claimed(kind, value), owner.userID != user.id {
            throw ClerkError.taken(kind.rawValue)
        }
        let rows = try context.users.identifications(of: user).filter { $0.kind == kind }
        let linked = Set(try context.users.externalAccounts(of: user).compactMap(\.linkedEmailID))
        guard rows.allSatisfy({ !linked.contains($0.id) }) else { throw ClerkError.lastIdentification }
        for row in rows { try call.context.db.run("DELETE FROM identifications WHERE id = \(row.id)") }
        if kind == .email { user.primaryEmailID = nil } else { user.primaryPhoneID = nil }
        let row = try context.users.add(
            kind, value, to: &user, verification: status == "verified" ? .given(by: "admin") : nil,
            isReserved: status == "reserved")
        if kind == .email { user.primaryEmailID = row.id } else { user.primaryPhoneID = row.id }
        try context.users.save(&user)
        return .resource(try json(row))
    }

    private func settle(_ changed: IdentificationRecord, _ user: inout UserRecord) throws -> JSON {
        var row = changed
        if let isReserved = try call.fields.flag("reserved_for_second_factor"), kind == .phone { row.isSecondFactor = isReserved }
        row.updatedAt = context.now
        try call.context.db.save(row)
        if try call.fields.flag("primary") == true {
            if kind == .email { user.primaryEmailID = row.id } else { user.primaryPhoneID = row.id }
        } else if row.isVerified {
            context.users.makePrimaryWhereNone(row, &user)
        }
        try context.secondFactors.settle(&user)
        try context.users.save(&user)
        return try json(row)
    }

    private func row() throws -> IdentificationRecord {
        let id = call.piece("identification_id")
        guard let row = try call.context.db.find(IdentificationRecord.self, "id = \(id) AND kind = \(kind.rawValue)")
        else {
            throw ClerkError.notFound(id)
        }
        return row
    }

    private func json(_ row: IdentificationRecord) throws -> JSON {
        let user = try call.user(row.userID)
        return try context.userJSON.identification(row, try context.users.externalAccounts(of: user))
    }
}
