import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/allowlist_identifiers` and `/v1/blocklist_identifiers`.
struct AdminRestrictionRoutes {
    let context: RequestContext
    let list: RestrictionRecord.List

    private var name: String { list == .allow ? "allowlist_identifier" : "blocklist_identifier" }

    func all() throws -> Answer {
        let (rows, total) = try context.page(of: RestrictionRecord.self, where: "list = \(list.rawValue)")
        return .resource(list == .block ? .page(rows.map(json), total: total) : context.list(rows.map(json), total: total))
    }

    /// `notify` emails an invitation to an allowed address.
    func create() throws -> Answer {
        let identifier = try identifier()
        let known = try context.db.count(
            RestrictionRecord.self, "list = \(list.rawValue) AND identifier = \(identifier)")
        if known > 0 { throw ClerkError.duplicateIdentifier(identifier) }
        var invitation: TicketRecord?
        if list == .allow, try context.fields.flag("notify") == true, EmailAddress(identifier) != nil {
            invitation = try AdminTicketRoutes(context: context).invite(identifier, metadata: [:], redirectURL: nil, days: 30)
        }
        let record = RestrictionRecord(
            id: context.id(list == .allow ? .allowlistEntry : .blocklistEntry), list: list, identifier: identifier,
            invitationID: invitation?.id, createdAt: context.now)
        try context.db.save(record)
        return .resource(json(record))
    }

    func delete() throws -> Answer {
        let id = context.piece("identifier_id")
        let count = try context.db.run("DELETE FROM restrictions WHERE id = \(id) AND list = \(list.rawValue)")
        guard count == 1 else { throw ClerkError.notFound(id) }
        return .resource(["object": .string(name), "id": .string(id), "deleted": true])
    }

    /// Reads an address, a number, a host for all its addresses, or `*.` and a host for the addresses of its
    /// subdomains.
    private func identifier() throws -> String {
        let text = try context.fields.required("identifier").trimmed.lowercased()
        if text.hasPrefix("+"), let number = PhoneNumber(text) { return number.text }
        if let address = EmailAddress(text) { return address.text }
        let host = text.hasPrefix("*@") ? String(text.dropFirst(2)) : text
        if EmailAddress("a@" + (host.hasPrefix("*.") ? String(host.dropFirst(2)) : host)) != nil { return "*@" + host }
        throw ClerkError.malformed("identifier", "identifier must be an email address, a phone number or a domain.")
    }

    private func json(_ record: RestrictionRecord) -> JSON {
        var json: JSONObject = [
            "object": .string(name), "id": .string(record.id), "identifier": .string(record.identifier),
            "identifier_type": record.identifier.hasPrefix("+") ? "phone_number" : "email_address",
            "instance_id": "ins_lockstep",
        ]
        if let id = record.invitationID { json["invitation_id"] = .string(id) }
        json["created_at"] = .time(record.createdAt)
        json["updated_at"] = .time(record.createdAt)
        return .object(json)
    }
}
