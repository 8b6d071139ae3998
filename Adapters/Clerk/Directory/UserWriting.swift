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
        if let email = self.email {
            // Without a status, Clerk treats every address as verified.
            body["email_address"] = [.string(try EmailAddress(email).text)]
            body["email_address_identification_status"] = [self.isEmailConfirmed ? "verified" : "reserved"]
        }
        if let phone = self.phone {
            body["phone_number"] = [.string(phone)]
            body["phone_number_identification_status"] = ["verified"]
        }
        switch password {
        case .text(let password):
            body["password"] = .string(password.reveal())
            if isExemptFromPolicy { body["skip_password_checks"] = true }
        case .hash(let text):
            let (hasher, digest) = try Self.digest(text)
            body["password_digest"] = .string(digest)
            body["password_hasher"] = .string(hasher.rawValue)
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

extension PersonName {
    /// Returns the members for a name; an empty name removes it.
    static func members(_ name: String?) -> [(name: String, value: JSON)] {
        guard let name else { return [] }
        let parts = PersonName(name)
        return [("first_name", .string(parts.first)), ("last_name", .string(parts.last))]
    }
}
