import LockstepEmulation
import LockstepPrimitives

/// `/v1/jwt_templates`: templates for tokens with the instance's own claims.
///
/// Tokens are always signed with the instance's key.
struct AdminTemplateRoutes {
    let context: RequestContext

    /// The members of ``create()`` and ``update()``.
    static let body: BodySchema = [
        "name": .text, "claims": .object, "lifetime": .whole, "allowed_clock_skew": .whole, "custom_signing_key": .anything,
        "signing_algorithm": .anything, "signing_key": .anything,
    ]

    func list() throws -> Answer {
        let templates = try context.db.all(TemplateRecord.self, "1 = 1 ORDER BY created_at, rowid")
        return .resource(context.list(templates.map(json), total: templates.count))
    }

    func get() throws -> Answer { .resource(json(try template())) }

    func create() throws -> Answer {
        var template = TemplateRecord(
            id: context.id(.template), name: try context.fields.required("name"), claims: [:], lifetime: 60, clockSkew: 5,
            createdAt: context.now, updatedAt: context.now)
        guard context.fields.has("claims") else { throw ClerkError.missing("claims") }
        try apply(to: &template)
        return .resource(json(template))
    }

    func update() throws -> Answer {
        var template = try template()
        if let name = try context.fields.text("name") { template.name = name }
        try apply(to: &template)
        return .resource(json(template))
    }

    func delete() throws -> Answer {
        let template = try template()
        try context.db.run("DELETE FROM templates WHERE id = \(template.id)")
        return .resource(["object": "jwt_template", "id": .string(template.id), "deleted": true])
    }

    private func apply(to template: inout TemplateRecord) throws {
        if let other = try context.db.find(TemplateRecord.self, "name = \(template.name)"), other.id.exact != template.id.exact {
            throw ClerkError.taken("name")
        }
        if let claims = try context.fields.members("claims") { template.claims = claims }
        if let lifetime = try context.fields.number("lifetime", 30...315_360_000) { template.lifetime = Int(lifetime) }
        if let skew = try context.fields.number("allowed_clock_skew", 0...300) { template.clockSkew = Int(skew) }
        template.updatedAt = context.now
        try context.db.save(template)
    }

    private func template() throws -> TemplateRecord {
        try context.named("template_id") { try context.db.find(TemplateRecord.self, "id = \($0)") }
    }

    private func json(_ template: TemplateRecord) -> JSON {
        [
            "object": "jwt_template", "id": .string(template.id), "name": .string(template.name),
            "claims": .object(template.claims),
            "lifetime": .int(Int64(template.lifetime)), "allowed_clock_skew": .int(Int64(template.clockSkew)),
            "custom_signing_key": false, "signing_algorithm": "RS256", "created_at": .time(template.createdAt),
            "updated_at": .time(template.updatedAt),
        ]
    }
}
