internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Changes of users: each changes the value together with its rows.
struct Users {
    let context: RequestContext

    /// Writes a user.
    ///
    /// A broken constraint becomes `failure`; older clients get it unchanged.
    func save(_ user: inout User, orSay failure: String = "Database error updating user") throws {
        do {
            try context.db.save(&user, at: context.now)
        } catch let error as SQLiteError where error.isDuplicate {
            let isPhone = error.message.contains("users.phone")
            let (name, column) = isPhone ? ("users_phone_key", "phone") : ("users_email_partial_key", "email")
            throw GoTrueError.duplicate(name, column, isPhone ? user.phone : user.email, failure)
        }
    }

    /// Returns a new user without an address, who has no row yet.
    func blank() -> User {
        User(id: context.uuid(), audience: context.audience, role: context.settings.tokens.role, at: context.now)
    }

    /// Writes a user with the hash of a new code, which replaces the previous hash of its kind.
    func keep(_ kind: OneTimeTokenKind, _ hash: String, for address: String, of user: inout User) throws {
        try save(&user)
        try context.db.save(
            OneTimeToken(userID: user.id, kind: kind, hash: hash, address: address.lowercased(), createdAt: context.now))
    }

    /// Creates a row for a user who has not signed in yet.
    func create(_ user: User) throws {
        do {
            try context.db.insert(user)
        } catch  where error.isDuplicate {
            throw GoTrueError.failure("Database error saving new user")
        }
    }

    func makeIdentity(of user: User, _ provider: String, subject: String? = nil, _ data: JSONObject) throws -> Identity {
        let identity = Identity(
            id: context.uuid(), userID: user.id, provider: provider, subject: subject ?? user.id, data: data,
            lastSignInAt: context.now,
            createdAt: context.now,
            updatedAt: context.now)
        try context.db.insert(identity)
        return identity
    }

    /// Creates or changes the identity of a user's address or number; a response shows only a new one.
    func setIdentity(_ provider: String, to address: String, isVerified: Bool, of user: inout User) throws {
        if var identity = try context.db.identity(subject: user.id, provider: provider) {
            User.merge([provider: .string(address), "\(provider)_verified": .bool(isVerified)], into: &identity.data)
            return try context.db.update(identity)
        }
        let data =
            provider == "email"
            ? Identity.data(of: user.id, email: address, isVerified: isVerified)
            : Identity.data(of: user.id, phone: address, isVerified: isVerified)
        user.identities = (user.identities ?? []) + [try makeIdentity(of: user, provider, data)]
    }

    /// Sets `provider` and `providers` in the app metadata from the user's identities.
    func updateProviders(_ user: inout User) throws {
        var seen: [String] = []
        for identity in try context.db.identities(of: user.id) where !seen.contains(identity.provider) {
            seen.append(identity.provider)
        }
        user.setProviders(seen)
        try save(&user)
    }

    /// Marks the address as verified.
    func confirmEmail(_ user: inout User, orSay failure: String = "Error confirm email") throws {
        user.confirmation.hash = ""
        user.emailConfirmedAt = context.now
        user.mergeUserMetadata(["email_verified": true])
        try save(&user, orSay: failure)
        try context.db.clearOneTimeTokens(of: user.id)
    }

    /// Marks the number as verified.
    func confirmPhone(_ user: inout User) throws {
        user.confirmation.hash = ""
        user.phoneConfirmedAt = context.now
        try save(&user)
        try context.db.clearOneTimeTokens(of: user.id)
    }

    /// Sets a new password, makes all codes and links invalid, and ends the user's sessions except one.
    func updatePassword(_ user: inout User, hash: String, keeping sessionID: String?) throws {
        user.passwordHash = hash
        user.confirmation = User.Slot()
        user.recovery = User.Slot()
        user.emailChangeCurrentHash = ""
        user.emailChangeNewHash = ""
        user.emailChangeSentAt = nil
        user.phoneChangeSlot = User.Slot()
        user.reauthentication = User.Slot()
        try save(&user)
        try context.db.clearOneTimeTokens(of: user.id)
        try context.db.endSessions(of: user.id, except: sessionID)
    }

    /// Removes the data of an unverified account's creator, because a verified address or provider replaces the
    /// account's owner.
    func removeUnprovenIdentities(_ user: inout User, but kept: Identity) throws {
        if kept.provider != "email", kept.provider != "phone" { user.passwordHash = nil }
        user.userMetadata = kept.data
        try save(&user)
        for identity in user.identities ?? [] where identity.id.exact != kept.id.exact {
            try context.db.delete(Identity.self, "id = \(identity.id)")
        }
        try updateProviders(&user)
    }

    /// Returns the user in the path of an administrator's request.
    func userOfPath() throws -> User {
        guard let user = try context.db.user(id: try context.pathID("user_id")) else { throw GoTrueError.userNotFound }
        return user
    }

    /// Reloads a user.
    func reload(_ user: User) throws -> User {
        guard let user = try context.db.user(id: user.id) else { throw GoTrueError.unhandled }
        return user
    }

    /// Sets the user's address to that of one of its identities, unless it already is one of them.
    ///
    /// A verified address comes before others, and an older one before a newer one. Earlier messages then become
    /// invalid.
    ///
    /// - Returns: Whether there was an address that no other user has.
    func updateEmail(_ user: inout User) throws -> Bool {
        let identities = try context.db.identities(of: user.id)
        if identities.contains(where: { ($0.email ?? "") == user.email }) { return true }
        let ranks = Dictionary(grouping: identities, by: Self.rank)
        for identity in [0, 1, 2].flatMap({ ranks[$0] ?? [] }) {
            let address = identity.email ?? ""
            if !address.isEmpty, try context.db.user(email: address, audience: user.audience) != nil { continue }
            user.email = address
            user.voidWhatWasSent()
            try context.db.clearOneTimeTokens(of: user.id)
            if address.isEmpty || !identity.isEmailVerified && !context.settings.mail.confirmsByItself {
                user.emailConfirmedAt = nil
                user.mergeUserMetadata(["email_verified": false])
            }
            try save(&user)
            return true
        }
        return false
    }

    private static func rank(_ identity: Identity) -> Int {
        identity.email?.isEmpty != false ? 2 : identity.isEmailVerified ? 0 : 1
    }
}

/// The validation of email addresses and phone numbers.
enum Address {
    /// Returns the address in lower case; surrounding spaces are rejected.
    static func email(_ text: String) throws(GoTrueError) -> String {
        guard !text.isEmpty else { throw .invalid("An email address is required") }
        guard text.utf8.count <= 255 else { throw .invalid("An email address is too long") }
        guard isEmail(text) else { throw .invalid("Unable to validate email address: invalid format") }
        return text.lowercased()
    }

    /// Returns the number without its leading plus sign and without spaces.
    static func phone(_ text: String) throws(GoTrueError) -> String {
        let digits = digits(text)
        let units = Array(digits.utf8)
        let isNumber =
            (2...15).contains(units.count) && units[0] != UInt8(ascii: "0") && units.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isNumber else { throw .invalid("Invalid phone number format (E.164 required)") }
        return digits
    }

    /// Returns a number in its stored form, without validation.
    static func digits(_ text: String) -> String {
        (text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
    }

    /// Returns whether a text matches the pattern of HTML's email fields, which allows a domain without a dot.
    static func isEmail(_ text: String) -> Bool {
        let parts = text.pieces(at: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let special = ".!#$%&'*+/=?^_`{|}~-"
        guard parts[0].unicodeScalars.allSatisfy({ isWord($0) || special.unicodeScalars.contains($0) }) else { return false }
        let labels = parts[1].pieces(at: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            guard let first = label.unicodeScalars.first, let last = label.unicodeScalars.last, label.utf8.count <= 63 else {
                return false
            }
            return isWord(first) && isWord(last) && label.unicodeScalars.allSatisfy { isWord($0) || $0 == "-" }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
}
