import LockstepDirectory
import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives

extension ExportFormat {
    /// The CSV of Clerk's Dashboard, the only place with hashes and secrets
    /// (https://clerk.com/docs/guides/development/migrating/export-from-clerk).
    static let clerk = [
        ExportFormat(
            provider: "clerk", title: "Clerk Dashboard export (CSV)", syntax: .table(columns: nil),
            recognizes: { names in ["id", "password_digest", "password_hasher"].allSatisfy(names.contains) },
            reader: { _ in { try SeedUser(exported: $0) } },
            gaps: [
                Gap(
                    concerns: { _ in true },
                    sentence: { users in
                        "The file says of none of its \(users) users whether they are banned, when they signed up, or which external "
                            + "accounts, second factors by SMS and metadata they have. Add the secret key of the instance, and name "
                            + "the file in \"from.export\" (docs/migration.md)."
                    }),
                Gap(
                    concerns: { !$0.otherPhones.isEmpty },
                    sentence: { users in
                        users == 0
                            ? nil
                            : "\(users) users have numbers beside their primary one. The file does not say which of them are second factors."
                    }),
                Gap(
                    concerns: { $0.email == nil && $0.phone == nil },
                    sentence: { $0 == 0 ? nil : "\($0) users of the file have neither an address nor a number." }),
            ],
            remedy: "Export the users in the Dashboard again, under Settings, \"User exports\".")
    ]
}

extension SeedUser {
    /// Reads a user of the Dashboard's export.
    ///
    /// Only an address in a list of verified ones is verified: the Dashboard also lists a primary address that is unverified among
    /// the unverified ones.
    fileprivate init(exported record: JSONObject) throws {
        func text(_ column: String) -> String? { record[column]?.string?.clerkCell }
        guard let id = text("id") else { throw UsageError("The user has no \"id\".") }
        self.init()
        self.id = id
        (self.username, self.firstName, self.lastName) = (text("username"), text("first_name"), text("last_name"))
        let names = [self.firstName, self.lastName].compactMap(\.self)
        self.displayName = names.isEmpty ? nil : names.joined(separator: " ")
        let emails = Self.addresses(record, primary: "primary_email_address", "email_addresses")
        (self.email, self.isEmailConfirmed) = (emails.first?.value, emails.first?.isConfirmed ?? false)
        self.otherEmails = Array(emails.dropFirst())
        let phones = Self.addresses(record, primary: "primary_phone_number", "phone_numbers")
        // Any other number may be only a second factor, with which nobody signs in.
        let primary = text("primary_phone_number") == nil ? nil : phones.first
        (self.phone, self.isPhoneConfirmed) = (primary?.value, primary?.isConfirmed ?? false)
        self.otherPhones = Array(phones.dropFirst(primary == nil ? 0 : 1))
        if let secret = text("totp_secret") { factors = [DirectoryFactor(.authenticatorApp(secret: Secret(secret)))] }
        guard let digest = text("password_digest") else { return }
        passwordHash = (try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: text("password_hasher") ?? "")))
            .map { Secret($0.text) }
        if passwordHash == nil { missingHash = MissingHash.unreadable.rawValue }
    }

    /// Returns the primary address or number, then all others.
    private static func addresses(_ record: JSONObject, primary: String, _ list: String) -> [DirectoryAddress] {
        func values(_ column: String) -> [String] { record[column]?.string?.clerkValues ?? [] }
        let (verified, unverified) = (values("verified_\(list)"), values("unverified_\(list)"))
        var seen: Set<ExactString> = []
        let all = values(primary).prefix(1) + verified + unverified
        return all.filter { seen.insert($0.exact).inserted }.map { value in
            let isListed = { (list: [String]) in list.contains { $0.exact == value.exact } }
            return DirectoryAddress(value, isConfirmed: isListed(verified) && !isListed(unverified))
        }
    }
}

extension String {
    /// The text of a cell of the Dashboard's export; `nil` for an empty one.
    ///
    /// Before a text that a spreadsheet would run as a formula, the Dashboard writes a TAB.
    var clerkCell: String? {
        let units = Array(utf8)
        let isGuarded = units.count > 1 && units[0] == 0x09 && "=+-@".utf8.contains(units[1])
        let text = isGuarded ? String(decoding: units.dropFirst(), as: UTF8.self) : self
        return text.isEmpty || ["null", "NULL"].contains(text) ? nil : text
    }

    /// The values of a cell, which are separated by `|` or `,` (clerk/cli, migrate).
    fileprivate var clerkValues: [String] {
        utf8.split { [UInt8(ascii: "|"), UInt8(ascii: ",")].contains($0) }.compactMap { part in
            let trimmed = part.drop { $0 == 0x20 }
            let end = trimmed.lastIndex { $0 != 0x20 }.map(trimmed.index(after:)) ?? trimmed.startIndex
            return String(decoding: trimmed[..<end], as: UTF8.self).clerkCell
        }
    }
}
