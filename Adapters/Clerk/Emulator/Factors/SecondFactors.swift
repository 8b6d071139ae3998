import LockstepPrimitives

/// Which second factors a user has.
struct SecondFactors {
    /// What was found.
    struct Found {
        var hasTOTP = false
        var hasBackupCodes = false
        var phones: [IdentificationRecord] = []

        /// Whether a sign-in asks for a second factor: backup codes alone do not count.
        var isEnabled: Bool { hasTOTP || !phones.isEmpty }
    }

    let context: RequestContext

    func of(_ user: UserRecord, _ rows: [IdentificationRecord]? = nil) throws -> Found {
        let settings = context.settings
        let rows = try rows ?? UserRepository(context: context).identifications(of: user)
        var found = Found()
        found.hasTOTP = user.isTOTPVerified && settings.secondFactors.contains(.totp)
        if settings.secondFactors.contains(.phoneCode) {
            found.phones = rows.filter { $0.kind == .phone && $0.isSecondFactor && $0.isVerified }
        }
        if settings.secondFactors.contains(.backupCode) {
            found.hasBackupCodes =
                try context.db.exists("SELECT 1 FROM backup_codes WHERE user_id = \(user.id)")
        }
        return found
    }

    /// Stores on the user whether there is a second factor, and removes backup codes without one.
    func settle(_ user: inout UserRecord) throws {
        let found = try of(user)
        if found.isEnabled {
            if user.mfaEnabledAt == nil { user.mfaEnabledAt = context.now }
        } else {
            if user.mfaEnabledAt != nil { user.mfaDisabledAt = context.now }
            user.mfaEnabledAt = nil
            try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id)")
        }
    }

    /// Ten new codes in place of all former ones.
    func renewBackupCodes(of user: UserRecord) throws -> [String] {
        let codes = (0..<10).map { _ in context.randomness.text(8, of: "0123456789abcdefghijklmnopqrstuvwxyz") }
        try setBackupCodes(codes, of: user)
        return codes
    }

    func setBackupCodes(_ codes: [String], of user: UserRecord) throws {
        try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id)")
        for code in codes {
            try context.db.run("INSERT OR IGNORE INTO backup_codes VALUES (\(user.id), \(code))")
        }
    }

    /// Takes a backup code; `false` where it is not one of the user's.
    func spendBackupCode(_ code: String, of user: UserRecord) throws -> Bool {
        try context.db.run("DELETE FROM backup_codes WHERE user_id = \(user.id) AND code = \(code)") == 1
    }
}
