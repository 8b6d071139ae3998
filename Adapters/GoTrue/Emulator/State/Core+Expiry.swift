internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Core {
    /// Removes what ended before `end`, as the real server's cleanup does (`internal/models/cleanup.go`): flows, challenges, links, and
    /// sessions where the settings let them expire.
    ///
    /// Used refresh tokens are kept as long as their session: reusing one must still end it.
    func removeExpired(before end: Instant) throws {
        let settings = settings
        let codeLife = max(settings.mail.codeLife, settings.sms.codeLife)
        try database.write { db in
            try db.run(
                "DELETE FROM flow_state WHERE max(created_at, coalesce(auth_code_issued_at, 0)) < \(end - settings.flowLife)")
            try db.run("DELETE FROM mfa_challenges WHERE created_at < \(end - settings.factors.challengeLife)")
            try db.run("DELETE FROM webauthn_challenges WHERE expires_at < \(end)")
            // An unknown link and one that has expired get the same answer.
            try db.run("DELETE FROM one_time_tokens WHERE created_at < \(end - codeLife)")
            if let life = settings.sessions.life {
                try db.run("DELETE FROM sessions WHERE created_at < \(end - life)")
            }
            if let life = settings.sessions.idleLife {
                try db.run(
                    """
                    DELETE FROM sessions WHERE coalesce(refreshed_at, created_at) < \(end - life) AND NOT EXISTS (
                        SELECT 1 FROM refresh_tokens WHERE session_id = sessions.id AND updated_at >= \(end - life))
                    """)
            }
        }
    }
}
