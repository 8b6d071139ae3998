import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// The waitlist: addresses that wait for an invitation (https://clerk.com/docs/guides/secure/waitlist).
    static let waitlist = Extension(
        tables: [WaitlistRecord.table.definition],
        frontend: [
            .post("/v1/waitlist", .anyone, body: .form("email_address")) { try WaitlistRoutes(context: $0).join() }
        ],
        backend: [
            .get("/waitlist_entries", .server) { try AdminWaitlistRoutes(context: $0).list() },
            .post("/waitlist_entries", .server, body: ["email_address": .text, "notify": .flag]) {
                try AdminWaitlistRoutes(context: $0).create()
            },
            .post("/waitlist_entries/bulk", .server, body: ["email_address": .text, "notify": .flag]) {
                try AdminWaitlistRoutes(context: $0).createAll()
            },
            .delete("/waitlist_entries/{waitlist_entry_id}", .server) { try AdminWaitlistRoutes(context: $0).delete() },
            .post("/waitlist_entries/{waitlist_entry_id}/invite", .server, body: ["ignore_existing": .flag]) {
                try AdminWaitlistRoutes(context: $0).invite()
            },
            .post("/waitlist_entries/{waitlist_entry_id}/reject", .server) { try AdminWaitlistRoutes(context: $0).reject() },
        ],
        signUpCompleted: { try $0.waitlist.complete($1.emailAddress) })
}

extension RequestContext {
    var waitlist: Waitlist { Waitlist(context: self) }
}

extension IdentifierKind {
    static let waitlistEntry = Self("wle")
}

extension ClerkError {
    static func waitlisted(_ status: WaitlistRecord.Status) -> ClerkError {
        ClerkError(
            409, "waitlist_entry_already_\(status.rawValue)", "Waitlist entry already \(status.rawValue)",
            "The waitlist entry has already been \(status.rawValue).")
    }
}
