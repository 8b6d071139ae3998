import LockstepEmulation
internal import LockstepPasswords
import LockstepPrimitives

/// The fields that creating and updating a user have in common.
struct AdminUserEdit {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// Stores names, metadata and flags in `user`, but does not save the user.
    func apply(to user: inout UserRecord) throws {
        if fields.has("first_name") { user.firstName = try name("first_name") }
        if fields.has("last_name") { user.lastName = try name("last_name") }
        if fields.has("locale") { user.locale = try fields.text("locale") }
        if fields.has("username") { user.username = try username(user) }
        if fields.has("external_id") { user.externalID = try externalID(user) }
        if let metadata = try fields.metadata("public_metadata") { user.publicMetadata = metadata }
        if let metadata = try fields.metadata("private_metadata") { user.privateMetadata = metadata }
        if let metadata = try fields.metadata("unsafe_metadata") { user.unsafeMetadata = metadata }
        if let flag = try fields.flag("delete_self_enabled") { user.canDeleteSelf = flag }
        if let flag = try fields.flag("create_organization_enabled") { user.canCreateOrganizations = flag }
        if let limit = try fields.number("create_organizations_limit", 0...1_000_000) { user.organizationsLimit = Int(limit) }
        if let flag = try fields.flag("bypass_client_trust") { user.bypassesClientTrust = flag }
        if let time = try fields.time("legal_accepted_at") { user.legalAcceptedAt = time }
    }

    /// Sets a password from its text, or from a digest of another system.
    func setPassword(_ user: inout UserRecord, identifiers: [String]) throws {
        let skips = try fields.flag("skip_password_checks") ?? false
        if let password = try fields.text("password") {
            if fields.has("password_digest") {
                throw ClerkError.disallowed("password", when: "password_digest", is: "present")
            }
            user.passwordDigest = try context.passwords.digest(password, identifiers: identifiers, skipsChecks: skips)
            user.passwordHasher = ClerkHasher.bcrypt.rawValue
            user.passwordUpdatedAt = context.now
            user.isPasswordCompromised = false
        } else if let digest = try fields.text("password_digest") {
            guard let hasher = try fields.text("password_hasher") else {
                throw ClerkError.conditionallyMissing("password_hasher", when: "password_digest", is: "present")
            }
            // Clerk requests such a password from Amazon once. Here, no request leaves the machine.
            if hasher == "awscognito" { throw ClerkError.hasherNotBuilt(hasher) }
            guard Self.known.contains(ClerkHasher(rawValue: hasher)) else {
                throw ClerkError.invalidValue("password_hasher", String(hasher.prefix(60)))
            }
            guard (try? PasswordHash(clerkDigest: digest, hasher: ClerkHasher(rawValue: hasher))) != nil else {
                throw ClerkError.unreadableDigest
            }
            user.passwordDigest = digest
            user.passwordHasher = hasher
            user.passwordUpdatedAt = context.now
            user.isPasswordCompromised = false
        } else if try fields.text("password_hasher") != nil {
            throw ClerkError.conditionallyMissing("password_digest", when: "password_hasher", is: "present")
        }
    }

    /// Sets imported second factors.
    func setFactors(_ user: inout UserRecord) throws {
        if let secret = try fields.text("totp_secret") {
            guard TOTP(secret: secret).isReadable else {
                throw ClerkError.malformed("totp_secret", "totp_secret must be base 32.")
            }
            user.totpSecret = secret
            user.isTOTPVerified = true
        }
        if let codes = try fields.texts("backup_codes") { try context.secondFactors.setBackupCodes(codes, of: user) }
        guard fields.has("totp_secret") || fields.has("backup_codes") else { return }
        try context.db.save(user)
        let found = try context.secondFactors.of(user)
        if found.isEnabled, user.mfaEnabledAt == nil { user.mfaEnabledAt = context.now }
    }

    private static let known: Set<ClerkHasher> = [
        .bcrypt, .bcryptSHA256Django, .bcryptPeppered, .argon2i, .argon2id, .scryptFirebase, .scryptWerkzeug, .pbkdf2SHA1,
        .pbkdf2SHA256,
        .pbkdf2SHA256Django, .pbkdf2SHA512, .pbkdf2SHA512Hex, .phpass, .md5PHPass, .ldapSSHA, .md5, .md5Salted, .sha256,
        .sha256Salted,
        .sha512Symfony,
    ]

    private func name(_ name: String) throws -> String? {
        let text = try fields.text(name)
        if let text, text.count > 256 { throw ClerkError.tooLong(name, 256) }
        return text?.isEmpty == true ? nil : text
    }

    private func username(_ user: UserRecord) throws -> String? {
        guard let text = try fields.text("username"), !text.isEmpty else { return nil }
        guard context.settings.username.isEnabled else { throw ClerkError.unknown("username") }
        let name = try Username.read(text, context.settings.usernameRules).text
        if let other = try context.users.find(identifier: .username(name))?.user, other.id.exact != user.id.exact {
            throw ClerkError.taken("username")
        }
        return name
    }

    private func externalID(_ user: UserRecord) throws -> String? {
        guard let id = try fields.text("external_id"), !id.isEmpty else { return nil }
        if let other = try context.db.find(UserRecord.self, "external_id = \(id)"), other.id.exact != user.id.exact {
            throw ClerkError.taken("external_id")
        }
        return id
    }
}
