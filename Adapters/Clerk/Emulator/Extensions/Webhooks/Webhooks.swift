import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// The receiver of events, which Svix manages for an instance (https://clerk.com/docs/guides/development/webhooks/overview).
    static let webhooks = Extension(
        tables: [EventRecord.table.definition],
        frontend: [
            .get("/webhooks", .anyone) { try WebhookRoutes(context: $0).show() }
        ],
        backend: [
            .post("/webhooks/svix", .server) { try AdminWebhookRoutes(context: $0).create() },
            .delete("/webhooks/svix", .server) { try AdminWebhookRoutes(context: $0).delete() },
            .post("/webhooks/svix_url", .server) { try AdminWebhookRoutes(context: $0).open() },
        ])
}

extension IdentifierKind {
    static let event = Self("evt")
}
