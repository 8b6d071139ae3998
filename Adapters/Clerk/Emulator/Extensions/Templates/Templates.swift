import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// Templates of session tokens (https://clerk.com/docs/guides/sessions/jwt-templates).
    static let templates = Extension(
        tables: [TemplateRecord.table.definition], backend: templateRoutes,
        token: { context, name, session, user, audience in
            guard let template = try context.db.find(TemplateRecord.self, "name = \(name)") else { return nil }
            return try template.token(of: session, user: user, audience: audience, in: context)
        })

    private static var templateRoutes: [Endpoint] {
        [
            .get("/jwt_templates", .server) { try AdminTemplateRoutes(context: $0).list() },
            .post("/jwt_templates", .server, body: AdminTemplateRoutes.body) { try AdminTemplateRoutes(context: $0).create() },
            .get("/jwt_templates/{template_id}", .server) { try AdminTemplateRoutes(context: $0).get() },
            .patch("/jwt_templates/{template_id}", .server, body: AdminTemplateRoutes.body) {
                try AdminTemplateRoutes(context: $0).update()
            },
            .delete("/jwt_templates/{template_id}", .server) { try AdminTemplateRoutes(context: $0).delete() },
        ]
    }
}

extension IdentifierKind {
    static let template = Self("jtmp")
}
