import LockstepEmulation
import LockstepPrimitives

extension Store {
    /// How much longer than other rows an ended session is kept: the Backend API lists those of the last weeks.
    private static let sessionHistory = Duration.seconds(29 * 86_400)

    /// Removes attempts, links and nonces that ended before `end`, replaced client tokens, and sessions and tickets that ended a month ago.
    ///
    /// Invitations stay: the Backend API lists them.
    func removeExpired(before end: Instant, tokenGrace: Duration) throws {
        let history = StoredValue.time(end - Self.sessionHistory)
        let retired = StoredValue.time(end - tokenGrace)
        let end = StoredValue.time(end)
        try run("DELETE FROM nonces WHERE expire_at < ?", end)
        try run("DELETE FROM links WHERE expire_at < ?", end)
        try run("DELETE FROM sign_ins WHERE abandon_at < ?", end)
        try run("DELETE FROM sign_ups WHERE abandon_at < ?", end)
        try run("DELETE FROM client_tokens WHERE retired_at < ?", retired)
        try run("DELETE FROM tickets WHERE kind <> ? AND expire_at < ?", .text(TicketRecord.Kind.invitation.rawValue), history)
        try run(
            "DELETE FROM sessions WHERE expire_at < ? OR abandon_at < ? OR status NOT IN ('active', 'pending') AND updated_at < ?",
            history, history, history)
    }
}
