package import Lockstep

extension NewDirectoryUser {
    /// Refuses a user with a value that a backend cannot keep, before anything is sent.
    ///
    /// - Throws: `unsupported` with the name of the value; `invalidInput` for a time outside of ``writableTimes``.
    package func check(_ features: Set<DirectoryFeature>, of backend: String) throws(AuthError) {
        let isHash = if case .hash = password { true } else { false }
        let isUnprovenPhone = phone != nil && !isPhoneConfirmed
        let needs: [(DirectoryFeature, isNeeded: Bool, what: String)] = [
            (.chosenIDs, id != nil, "an id of the caller's choice"),
            (.passwordHashes, isHash, "the hash of a password"),
            (.phones, phone != nil, "a number"),
            (.unprovenPhones, isUnprovenPhone, "a number that is not proven, because every number of its users signs them in"),
            (.photos, photoURL != nil, "the address of a photo"),
            (.userMetadata, !userMetadata.isEmpty, "data that the user may change"),
            (.privateMetadata, !privateMetadata.isEmpty, "data that only servers see"),
            (.externalIDs, externalID != nil, "another system's id"),
            (.creationTimes, createdAt != nil, "the time of the account"),
            (.signInTimes, lastSignInAt != nil, "the time of the last sign-in"),
            (.policyExemptions, isExemptFromPolicy, "a password that is exempt from the policy"),
            (.disabling, isDisabled, "a user who is refused"),
        ]
        try DirectoryFeature.check(needs.filter { $0.isNeeded }, features, backend)
        for (name, time) in [("createdAt", createdAt), ("lastSignInAt", lastSignInAt)] {
            guard let time, !Self.writableTimes.contains(time) else { continue }
            throw AuthError(
                .invalidInput,
                "The time \(time.milliseconds) of `\(name)` is not in the years 1 to 9999. Nothing was sent; correct it, or leave it out."
            )
        }
    }

    /// The years 1 to 9999: what every backend's form of a time can say.
    package static let writableTimes = Instant(seconds: -62_135_596_800)..<Instant(seconds: 253_402_300_800)
}

extension DirectoryChanges {
    /// Refuses changes to what a backend does not keep, before anything is sent.
    ///
    /// - Throws: `unsupported` with the name of the value.
    package func check(_ features: Set<DirectoryFeature>, of backend: String) throws(AuthError) {
        let needs: [(DirectoryFeature, isNeeded: Bool, what: String)] = [
            (.phones, phone != nil, "a number"),
            (.photos, photoURL != nil, "the address of a photo"),
            (.userMetadata, !userMetadata.isEmpty, "data that the user may change"),
            (.privateMetadata, !privateMetadata.isEmpty, "data that only servers see"),
            (.disabling, isDisabled != nil, "whether a user is refused"),
        ]
        try DirectoryFeature.check(needs.filter { $0.isNeeded }, features, backend)
    }
}

extension DirectoryFeature {
    fileprivate static func check(
        _ needs: [(DirectoryFeature, isNeeded: Bool, what: String)], _ features: Set<DirectoryFeature>, _ backend: String
    ) throws(AuthError) {
        for need in needs where !features.contains(need.0) {
            throw AuthError(
                .unsupported, "\(backend) cannot keep \(need.what). Nothing was sent; leave it out, or keep it elsewhere.")
        }
    }
}
