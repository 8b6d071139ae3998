internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Backend {
    /// Removes codes and unfinished sign-ins that ended before `end`; in emulator mode nothing expires by default.
    func removeExpired(before end: Instant) throws {
        let lifetimes = settings.lifetimes
        try store.write { db in
            for kind in [ActionCode.Kind.passwordReset, .verifyEmail, .emailSignIn, .changeEmail, .recoverEmail] {
                guard let life = kind.lifetime(lifetimes) else { continue }
                try db.run("DELETE FROM action_codes WHERE kind = \(kind.rawValue) AND created_at < \(end - life)")
            }
            if let life = lifetimes.textMessage {
                try db.run("DELETE FROM text_codes WHERE created_at < \(end - life)")
                try db.run("DELETE FROM phone_proofs WHERE created_at < \(end - life)")
            }
            if let life = lifetimes.pendingFactor {
                try db.run("DELETE FROM pending_sign_ins WHERE created_at < \(end - life)")
                try db.run("DELETE FROM totp_enrolments WHERE created_at < \(end - life)")
            }
        }
    }
}
