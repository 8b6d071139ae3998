import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/webhooks/svix`: in production, the instance's app at Svix.
///
/// Here it is a page of the emulator that lists the queued events.
struct AdminWebhookRoutes {
    let context: RequestContext

    func create() throws -> Answer {
        if try exists() { throw ClerkError.svixAppExists }
        try context.db.run("INSERT INTO instance (name, value) VALUES ('svix_app', '1')")
        return address()
    }

    func open() throws -> Answer {
        guard try exists() else { throw ClerkError.svixAppMissing }
        return address()
    }

    func delete() throws -> Answer {
        guard try exists() else { throw ClerkError.svixAppMissing }
        try context.db.run("DELETE FROM instance WHERE name = 'svix_app'")
        return .nothing
    }

    private func exists() throws -> Bool { try context.db.exists("SELECT 1 FROM instance WHERE name = 'svix_app'") }

    private func address() -> Answer { .resource(["svix_url": .string(context.state.base + "/webhooks")]) }
}

/// `GET /webhooks`: the URL of events, and the queued events.
struct WebhookRoutes {
    let context: RequestContext

    func show() throws -> Answer {
        let events = try context.db.all(EventRecord.self, "1 = 1 ORDER BY rowid LIMIT 100")
        let address = context.settings.webhookURL ?? "nowhere: set WEBHOOK_URL"
        let rows = events.map { "<li>\($0.type) \($0.id), \($0.failures) failed</li>" }.joined()
        return .page(
            "<!doctype html><title>Webhooks</title><h1>Events go to \(address.escapedForHTMLText)</h1><ul>\(rows)</ul>")
    }
}
