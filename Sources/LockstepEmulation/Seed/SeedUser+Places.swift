internal import LockstepUserFields

extension SeedUser {
    /// Throws an error if a user has values that a provider cannot store.
    ///
    /// Names of values that a source did not return are ignored, because there is nothing to store.
    ///
    /// - Parameter kept: The names of the optional values that the provider can store.
    /// - Throws: ``UserValueError/unsupported(_:)`` with the name of the first value that the provider cannot store.
    public func requirePlaces(_ kept: Set<String>) throws(UserValueError) {
        for field in Self.fields where !Self.everywhere.contains(field.name) && !kept.contains(field.name) {
            if field.isGiven(self) { throw .unsupported(field.name) }
        }
        for (name, isGiven) in parts where isGiven && !kept.contains(name) { throw .unsupported(name) }
    }

    /// The values that every provider can store, or whose emulator refuses them with a reason of its own.
    private static let everywhere = [
        "id", "email", "emailConfirmed", "phone", "phoneConfirmed", "password", "passwordHash", "displayName", "photoURL",
        "disabled", "appMetadata", "identities", "factors", "sessions", "createdAt", "lastSignInAt", "providers", "notShown",
        "only",
    ]

    private var parts: [(name: String, isGiven: Bool)] {
        let others = factors.filter { !$0.kind.isEmulated }
        let own = factors.filter(\.kind.isEmulated)
        return [
            ("factors.kind", others.contains(where: \.codes.isEmpty)),
            ("factors.codes", others.contains { !$0.codes.isEmpty }),
            ("factors.verified", own.contains { !$0.isVerified }),
            ("factors.createdAt", own.contains { $0.createdAt != nil }),
            ("identities.displayName", identities.contains { $0.displayName != nil }),
            ("identities.photoURL", identities.contains { $0.photoURL != nil }),
            ("identities.createdAt", identities.contains { $0.createdAt != nil }),
            ("identities.lastSignInAt", identities.contains { $0.lastSignInAt != nil }),
        ]
    }
}
