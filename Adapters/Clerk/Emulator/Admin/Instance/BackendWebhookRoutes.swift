import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/webhooks/svix`: the app at Svix that Clerk keeps for an instance; here it is a page of the emulator that lists what waits.
struct BackendWebhookRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }

    func create() throws -> BackendResponse {
        if try exists() { throw ClerkError.svixAppExists }
        try context.db.run("INSERT INTO instance (name, value) VALUES ('svix_app', '1')")
        return address()
    }

    func open() throws -> BackendResponse {
        guard try exists() else { throw ClerkError.svixAppMissing }
        return address()
    }

    func delete() throws -> BackendResponse {
        guard try exists() else { throw ClerkError.svixAppMissing }
        try context.db.run("DELETE FROM instance WHERE name = 'svix_app'")
        return .nothing
    }

    private func exists() throws -> Bool { try context.db.exists("SELECT 1 FROM instance WHERE name = 'svix_app'") }

    private func address() -> BackendResponse { .resource(["svix_url": .string(context.state.base + "/webhooks")]) }
}

/// `GET /webhooks`: where events go, and those that wait.
struct WebhookPage {
    let call: FrontendCall

    func show() throws -> FrontendResponse {
        let events = try call.context.db.all(EventRecord.self, "1 = 1 ORDER BY rowid LIMIT 100")
        let address = call.settings.webhookURL ?? "nowhere: set WEBHOOK_URL"
        let rows = events.map { "<li>\($0.type) \($0.id), \($0.failures) failed</li>" }.joined()
        return .page(
            "<!doctype html><title>Webhooks</title><h1>Events go to \(address.escapedForHTMLText)</h1><ul>\(rows)</ul>")
    }
}
