extension SeedUser {
    /// Throws an error if a user has values that a provider cannot store.
    ///
    /// - Parameter kept: The names of the optional values that the provider can store.
    /// - Throws: ``UserValueError/unsupported(_:)`` with the name of the first value that the provider cannot store.
    public func requirePlaces(_ kept: Set<String>) throws(UserValueError) {
        for (name, isGiven) in further where isGiven && !kept.contains(name) { throw .unsupported(name) }
    }

    /// The values that only some backends have, by their names in a file.
    ///
    /// The names of values that a source did not return are left out, because there is nothing to store.
    private var further: [(name: String, isGiven: Bool)] {
        [
            ("otherEmails", !otherEmails.isEmpty), ("otherPhones", !otherPhones.isEmpty),
            ("emailIdentity", hasEmailIdentity != nil), ("phoneIdentity", hasPhoneIdentity != nil),
            ("username", username != nil), ("firstName", firstName != nil), ("lastName", lastName != nil),
            ("bannedUntil", bannedUntil != nil), ("locked", isLocked), ("tenant", tenant != nil),
            ("singleSignOn", isSingleSignOn), ("role", role != nil), ("audience", audience != nil),
            ("missingHash", missingHash != nil), ("passwordChangedAt", passwordChangedAt != nil),
            ("sessionsValidSince", sessionsValidSince != nil), ("updatedAt", updatedAt != nil),

            ("factors.kind", otherFactors.contains { $0.codes.isEmpty }),
            ("factors.codes", otherFactors.contains { !$0.codes.isEmpty }),
            ("factors.verified", factors.contains { !$0.isVerified }),
            ("factors.createdAt", factors.contains { $0.createdAt != nil }),
            ("identities.displayName", identities.contains { $0.displayName != nil }),
            ("identities.photoURL", identities.contains { $0.photoURL != nil }),
            ("identities.createdAt", identities.contains { $0.createdAt != nil }),
            ("identities.lastSignInAt", identities.contains { $0.lastSignInAt != nil }),
        ]
    }
}
