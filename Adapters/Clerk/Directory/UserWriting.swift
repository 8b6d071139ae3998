internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives

extension NewDirectoryUser {
    /// Returns the body for `POST /v1/users`, which is checked before it is sent.
    ///
    /// - Throws: `unsupported` for a value that Clerk cannot store, `invalidEmail`, `invalidInput` for a hash that
    ///   Clerk does not support.
    func clerkBody() throws(AuthError) -> JSONObject {
        try check(ClerkDirectory.features, of: "Clerk")
        var body = JSONObject()
        let phones = self.phone.map { [DirectoryAddress($0, isConfirmed: true)] } ?? []
        // The numbers of second factors are among the factors.
        let numbers = self.otherPhones.filter { !$0.isSecondFactor }
        if self.otherEmails.contains(where: \.isSecondFactor) || !numbers.allSatisfy(\.isConfirmed) {
            throw AuthError(
                .unsupported,
                "Clerk cannot create a user with an unverified further number, or with an address as a second factor. Leave it out."
            )
        }
        let signingIn = Set((phones + numbers).map(\.value.exact))
        if factors.contains(where: { $0.number.map { signingIn.contains($0.exact) } ?? false }) {
            throw AuthError(
                .unsupported, "At Clerk, a number is either a second factor or a way to sign in. Leave out one of them.")
        }
        let hasVerified = self.isEmailConfirmed || self.otherEmails.contains(where: \.isConfirmed)
        guard self.hasEmailIdentity != false || !hasVerified, self.hasPhoneIdentity != false else {
            throw AuthError(
                .unsupported,
                "At Clerk, each number and each verified address signs in (addressIdentities). Leave out whether it does.")
        }
        // The requirements of an instance include addresses that other requests add.
        if self.hasEmailIdentity == false { body["skip_user_requirement"] = true }
        let emails = self.email.map { [DirectoryAddress($0, isConfirmed: self.isEmailConfirmed)] } ?? []
        var addresses: [DirectoryAddress] = []
        for address in emails + self.otherEmails {
            addresses.append(DirectoryAddress(try EmailAddress(address.value).text, isConfirmed: address.isConfirmed))
        }
        body.write(addresses, as: "email_address")
        body.write(phones + numbers, as: "phone_number")
        switch password {
        case .text(let password):
            body["password"] = .string(password.reveal())
            if isExemptFromPolicy { body["skip_password_checks"] = true }
        case .hash(let text):
            for (name, value) in try Self.members(ofHash: text) { body[name] = value }
        case nil: body["skip_password_requirement"] = true
        }
        if self.firstName != nil || self.lastName != nil {
            body["first_name"] = self.firstName.map(JSON.string)
            body["last_name"] = self.lastName.map(JSON.string)
        } else {
            for (name, value) in PersonName.members(self.displayName) { body[name] = value }
        }
        body["username"] = self.username.map(JSON.string)
        body["external_id"] = self.externalID.map(JSON.string)
        body["created_at"] = self.createdAt.map { .string($0.rfc3339) }
        try writeFactors(to: &body)
        if self.isDisabled { body["banned"] = true }
        if self.isLocked { body["locked"] = true }
        for (name, data) in [
            ("public_metadata", self.appMetadata), ("private_metadata", self.privateMetadata),
            ("unsafe_metadata", self.userMetadata),
        ] where !data.isEmpty {
            body[name] = .object(data)
        }
        return body
    }

    /// The addresses that are neither verified nor reserved, in the order of their requests; Clerk lists the last one first.
    ///
    /// A user's first address becomes the primary one.
    var unclaimedAddresses: [DirectoryAddress] {
        guard self.hasEmailIdentity == false else { return [] }
        let first = self.email.map { [DirectoryAddress($0, isConfirmed: false, isPrimary: true)] } ?? []
        return first + self.otherEmails.reversed()
    }

    private func writeFactors(to body: inout JSONObject) throws(AuthError) {
        for factor in factors {
            switch factor.kind {
            case .authenticatorApp(let secret?) where factor.isVerified && body["totp_secret"] == nil:
                body["totp_secret"] = .string(secret.reveal())
            case .backupCodes where !factor.codes.isEmpty && body["backup_codes"] == nil:
                body["backup_codes"] = .array(factor.codes.map { .string($0.reveal()) })
            // A request of its own adds the number.
            case .phone where factor.isVerified: break
            default:
                throw AuthError(
                    .unsupported,
                    "Clerk can create a user with verified numbers, one verified authenticator app and one set of backup codes. Leave the others out."
                )
            }
        }
    }

    /// Returns the members for the hash of a password.
    ///
    /// - Throws: `invalidInput` if Clerk does not support the hash.
    static func members(ofHash text: Secret) throws(AuthError) -> JSONObject {
        let (hasher, digest) = try digest(text)
        return ["password_digest": .string(digest), "password_hasher": .string(hasher.rawValue)]
    }

    private static func digest(_ text: Secret) throws(AuthError) -> (hasher: ClerkHasher, digest: String) {
        let hash: PasswordHash
        do {
            hash = try PasswordHash(text.reveal())
        } catch {
            throw AuthError(.invalidInput, "The password hash cannot be read. \(error.message)")
        }
        guard let digest = hash.clerkDigest else {
            throw AuthError(
                .invalidInput, "Clerk does not support this kind of password hash: \(hash). Let the user set a new password.")
        }
        return digest
    }
}

extension JSONObject {
    /// Writes addresses or numbers, each with its status.
    ///
    /// Without a status, Clerk treats every address as verified.
    fileprivate mutating func write(_ addresses: [DirectoryAddress], as name: String) {
        guard !addresses.isEmpty else { return }
        self[name] = .array(addresses.map { .string($0.value) })
        self[name + "_identification_status"] = .array(addresses.map { $0.isConfirmed ? "verified" : "reserved" })
    }
}

extension PersonName {
    /// Returns the members for a name; an empty name removes it.
    static func members(_ name: String?) -> [(name: String, value: JSON)] {
        guard let name else { return [] }
        let parts = PersonName(name)
        return [("first_name", .string(parts.first)), ("last_name", .string(parts.last))]
    }
}
