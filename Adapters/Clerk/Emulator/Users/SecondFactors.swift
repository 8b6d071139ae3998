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

    let exchange: Exchange

    func of(_ user: UserRecord, _ rows: [IdentificationRecord]? = nil) throws -> Found {
        let settings = exchange.settings
        let rows = try rows ?? UserDirectory(exchange: exchange).identifications(of: user)
        var found = Found()
        found.hasTOTP = user.isTOTPVerified && settings.secondFactors.contains(.totp)
        if settings.secondFactors.contains(.phoneCode) {
            found.phones = rows.filter { $0.kind == .phone && $0.isSecondFactor && $0.isVerified }
        }
        if settings.secondFactors.contains(.backupCode) {
            found.hasBackupCodes =
                try exchange.store.number("SELECT count(*) FROM backup_codes WHERE user_id = ?", .text(user.id)) > 0
        }
        return found
    }

    /// Stores on the user whether there is a second factor, and removes backup codes without one.
    func settle(_ user: inout UserRecord) throws {
        let found = try of(user)
        if found.isEnabled {
            if user.mfaEnabledAt == nil { user.mfaEnabledAt = exchange.now }
        } else {
            if user.mfaEnabledAt != nil { user.mfaDisabledAt = exchange.now }
            user.mfaEnabledAt = nil
            try exchange.store.run("DELETE FROM backup_codes WHERE user_id = ?", .text(user.id))
        }
    }

    /// Ten new codes in place of all former ones.
    func renewBackupCodes(of user: UserRecord) throws -> [String] {
        let codes = (0..<10).map { _ in exchange.instance.randomness.text(8, of: "0123456789abcdefghijklmnopqrstuvwxyz") }
        try setBackupCodes(codes, of: user)
        return codes
    }

    func setBackupCodes(_ codes: [String], of user: UserRecord) throws {
        try exchange.store.run("DELETE FROM backup_codes WHERE user_id = ?", .text(user.id))
        for code in codes {
            try exchange.store.run("INSERT OR IGNORE INTO backup_codes VALUES (?, ?)", .text(user.id), .text(code))
        }
    }

    /// Takes a backup code; `false` where it is not one of the user's.
    func spendBackupCode(_ code: String, of user: UserRecord) throws -> Bool {
        try exchange.store.run("DELETE FROM backup_codes WHERE user_id = ? AND code = ?", .text(user.id), .text(code)) == 1
    }
}
