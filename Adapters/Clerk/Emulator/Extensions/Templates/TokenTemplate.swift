internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A template for tokens with the instance's own claims.
struct TemplateRecord: Record {
    var id: String
    var name: String
    var claims: JSONObject
    /// Seconds.
    var lifetime: Int
    /// The number of seconds by which `nbf` is earlier than `iat`.
    var clockSkew: Int
    var createdAt: Instant
    var updatedAt: Instant
}

extension TemplateRecord {
    init() {
        self.init(id: "", name: "", claims: [:], lifetime: 0, clockSkew: 0, createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<TemplateRecord>(
        "templates",
        [
            Column("id", \.id, .key), Column("name", \.name, .unique), Column("claims", \.claims),
            Column("lifetime", \.lifetime), Column("clock_skew", \.clockSkew), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ])
}

extension TemplateRecord {
    /// Creates a session token with the claims of the template and the automatic claims, without the id of the session.
    ///
    /// - `audience`: The app that receives the token.
    /// - `context`: The request for the token.
    func token(of session: SessionRecord, user: UserRecord, audience: TokenAudience, in context: RequestContext) throws -> String
    {
        let texts = TemplateTexts(context: context, user: user, session: session)
        var signed = JSONObject()
        for (name, value) in claims { signed[name] = try texts.filled(value) }
        if let origin = audience.origin { signed["azp"] = .string(origin) }
        signed["exp"] = .int(context.now.seconds + Int64(lifetime))
        signed["iat"] = .int(context.now.seconds)
        signed["iss"] = .string(context.state.base)
        signed["jti"] = .string(Hex.encode(context.randomness.bytes(10)))
        signed["nbf"] = .int(context.now.seconds - Int64(clockSkew))
        signed["sub"] = .string(session.userID)
        return try context.sign(signed)
    }
}

/// Fills the `{{…}}` placeholders of a template's claims.
struct TemplateTexts {
    let context: RequestContext
    let user: UserRecord
    let session: SessionRecord

    /// Returns the claim with its placeholders filled; if the claim is only a placeholder, the result has the value's
    /// own type.
    func filled(_ claim: JSON) throws -> JSON {
        switch claim {
        case .string(let text): try filled(text)
        case .array(let elements): .array(try elements.map { try filled($0) })
        case .object(let object): .object(JSONObject(try object.map { ($0.name, try filled($0.value)) }))
        default: claim
        }
    }

    private func filled(_ text: String) throws -> JSON {
        if text.hasPrefix("{{"), text.hasSuffix("}}"), text.dropFirst(2).dropLast(2).firstRange(of: "{{") == nil {
            return try value(String(text.dropFirst(2).dropLast(2)))
        }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += rest[..<open.lowerBound]
            let value = try value(String(rest[open.upperBound..<close.lowerBound]))
            result += value.string ?? (value.isNull ? "" : value.text())
            rest = rest[close.upperBound...]
        }
        return .string(result + rest)
    }

    /// Returns the first alternative (`a || b`) that has a value.
    private func value(_ expression: String) throws -> JSON {
        for alternative in expression.split(separator: "||") {
            let value = try lookUp(String(alternative).trimmed)
            if !value.isNull, value != false, value != "" { return value }
        }
        return .null
    }

    private func lookUp(_ name: String) throws -> JSON {
        if name.count >= 2, name.hasPrefix("'"), name.hasSuffix("'") { return .string(String(name.dropFirst().dropLast())) }
        let path = name.pieces(at: ".").map(String.init)
        if path.count >= 2, path[0] == "org" {
            guard let organization = try OrganizationClaims(context: context, session: session) else { return .null }
            return path.dropFirst(2).reduce(organization[path[1]]) { $0[$1] ?? .null }
        }
        guard path.count >= 2, path[0] == "user" else { return name == "session.id" ? .string(session.id) : .null }
        let json = try context.userJSON.user(user)
        if path[1] == "primary_email_address" { return try primary(user.primaryEmailID) }
        if path[1] == "primary_phone_number" { return try primary(user.primaryPhoneID) }
        if path[1] == "full_name" {
            let names = [user.firstName, user.lastName].compactMap(\.self)
            return names.isEmpty ? .null : .string(names.joined(separator: " "))
        }
        return path.dropFirst().reduce(json) { $0[$1] ?? .null }
    }

    private func primary(_ id: String?) throws -> JSON {
        guard let id else { return .null }
        return .text(try context.db.find(IdentificationRecord.self, "id = \(id)")?.value)
    }
}
