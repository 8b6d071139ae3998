public import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Exports of all users, and additions to them.
extension ClerkAdministrator {
    /// Returns all users in the format of the Dashboard's export, oldest first.
    ///
    /// The export contains the hashes of passwords and the secrets of authenticator apps, which no API returns
    /// (https://clerk.com/docs/guides/development/migrating/export-from-clerk). Before a value that a spreadsheet would run as a
    /// formula, there is a TAB.
    ///
    /// - Returns: Comma-separated values (RFC 4180), after a line with the names of the columns.
    /// - Throws: An error of the emulator's database.
    public func exportUsers() throws -> [UInt8] {
        try perform { context in
            var text = ExportedUser.columns.joined(separator: ",") + "\n"
            for user in try context.db.all(UserRecord.self, "1 = 1 ORDER BY created_at, rowid") {
                text += ExportedUser(user, try context.users.identifications(of: user)).line
            }
            return Array(text.utf8)
        }
    }

    /// Adds users and organizations to the stored ones.
    ///
    /// - Throws: `SeedProblem` if the provider cannot store a value. In that case, the stored data stays unchanged.
    public func add(_ users: [SeedUser], _ organizations: [SeedOrganization] = []) throws {
        try perform { context in
            let seeded = SeededUsers(context: context)
            for user in users { try user.naming(on: ClerkEmulator.provider, seeded.write) }
            let others = SeededOrganizations(context: context)
            for organization in organizations { try organization.naming(on: ClerkEmulator.provider, others.write) }
        }
    }
}

/// A user in the format of the Dashboard's export.
private struct ExportedUser {
    private let user: UserRecord
    private let rows: [IdentificationRecord]

    static let columns = [
        "id", "first_name", "last_name", "username", "primary_email_address", "primary_phone_number", "verified_email_addresses",
        "unverified_email_addresses", "verified_phone_numbers", "unverified_phone_numbers", "totp_secret", "password_digest",
        "password_hasher",
    ]

    init(_ user: UserRecord, _ rows: [IdentificationRecord]) {
        self.user = user
        self.rows = rows
    }

    var line: String {
        let values = [
            user.id, user.firstName, user.lastName, user.username, primary(user.primaryEmailID), primary(user.primaryPhoneID),
            list(.email, true), list(.email, false), list(.phone, true), list(.phone, false),
            user.isTOTPVerified ? user.totpSecret : nil, user.passwordDigest, user.passwordHasher,
        ]
        return values.map { Self.cell($0 ?? "") }.joined(separator: ",") + "\n"
    }

    private func primary(_ id: String?) -> String? { rows.first { $0.id.exact == id?.exact }?.value }

    private func list(_ kind: IdentificationRecord.Kind, _ isVerified: Bool) -> String {
        let own = rows.filter { $0.kind == kind && $0.isVerified == isVerified }
        let primary = [user.primaryEmailID, user.primaryPhoneID].compactMap { $0?.exact }
        return (own.filter { primary.contains($0.id.exact) } + own.filter { !primary.contains($0.id.exact) })
            .map(\.value).joined(separator: "|")
    }

    private static func cell(_ value: String) -> String {
        let first = value.utf8.first
        let text = (first.map { "=+-@".utf8.contains($0) } == true ? "\t" : "") + value
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else { return text }
        return "\"" + text.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
    }
}
