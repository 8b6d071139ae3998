package import Lockstep
internal import LockstepPrimitives

extension NewDirectoryUser {
    /// The features that a directory needs to store every value of this user.
    ///
    /// Compare this list with ``UserDirectory/features``, which lists the features that a directory has.
    public var requiredFeatures: Set<DirectoryFeature> { Set(needs.filter(\.isNeeded).map(\.feature)) }

    /// Returns a copy of the user without the values that need a feature.
    ///
    /// - Parameter feature: A feature that a directory does not have, such as one of ``requiredFeatures``.
    /// - Returns: The copy. For the feature ``DirectoryFeature/unprovenPhones``, an unverified number is removed completely.
    public func removing(_ feature: DirectoryFeature) -> NewDirectoryUser {
        guard let need = needs.first(where: { $0.feature == feature }), need.isNeeded else { return self }
        var user = self
        need.remove(&user)
        return user
    }

    /// Rejects a user with values that a backend cannot store, or that contradict each other, before anything is sent.
    ///
    /// - Parameters:
    ///   - features: The features of the directory.
    ///   - backend: The name of the backend.
    /// - Throws: `unsupported` with the name of the value; `invalidInput` for a time outside ``writableTimes`` or for a
    ///   contradiction.
    package func check(_ features: Set<DirectoryFeature>, of backend: String) throws(AuthError) {
        for need in needs where need.isNeeded && !features.contains(need.feature) {
            throw DirectoryFeature.unsupported(need.feature, need.what, backend)
        }
        if let contradiction {
            throw AuthError(.invalidInput, "\(contradiction) No request was sent. Correct it.")
        }
        for (name, time) in times {
            guard !Self.writableTimes.contains(time) else { continue }
            throw AuthError(
                .invalidInput,
                "The time \(time.milliseconds) of `\(name)` is not in the years 1 to 9999. No request was sent. Correct it, or leave it out."
            )
        }
    }

    /// The years 1 to 9999, which every backend can store.
    package static let writableTimes = Instant(seconds: -62_135_596_800)..<Instant(seconds: 253_402_300_800)

    private var times: [(String, Instant)] {
        var all: [(String, Instant?)] = [
            ("createdAt", createdAt), ("updatedAt", updatedAt), ("lastSignInAt", lastSignInAt),
            ("emailConfirmedAt", emailConfirmedAt), ("phoneConfirmedAt", phoneConfirmedAt), ("bannedUntil", bannedUntil),
        ]
        for address in otherEmails + otherPhones { all.append(("confirmedAt", address.confirmedAt)) }
        for factor in factors { all.append(("createdAt", factor.createdAt)) }
        for identity in providerIdentities {
            all += [("createdAt", identity.createdAt), ("lastSignInAt", identity.lastSignInAt)]
        }
        return all.compactMap { name, time in time.map { (name, $0) } }
    }

    /// A sentence about two values of the user that contradict each other; `nil` if there is no contradiction.
    private var contradiction: String? {
        if emailConfirmedAt != nil, !isEmailConfirmed || email == nil {
            return "`emailConfirmedAt` is set, but the user has no confirmed address."
        }
        if phoneConfirmedAt != nil, !isPhoneConfirmed || phone == nil {
            return "`phoneConfirmedAt` is set, but the user has no confirmed number."
        }
        if isAnonymous, email != nil || phone != nil || password != nil || !providerIdentities.isEmpty {
            return "An anonymous user must not have an address, number, password or identity."
        }
        if Set(providerIdentities.map { [$0.provider.rawValue.exact, $0.subject.exact] }).count < providerIdentities.count {
            return "The user has the same identity twice."
        }
        if let displayName, firstName != nil || lastName != nil,
            [firstName, lastName].compactMap(\.self).filter({ !$0.isEmpty }).joined(separator: " ") != displayName
        {
            return "`displayName` does not match `firstName` and `lastName`."
        }
        return nil
    }
}

/// A value of a new user that not every directory can store.
private struct Need {
    let feature: DirectoryFeature
    let isNeeded: Bool
    /// The name of the value in a sentence.
    let what: String
    /// Removes the value from a user.
    let remove: (inout NewDirectoryUser) -> Void

    init(
        _ feature: DirectoryFeature, _ isNeeded: Bool, _ what: String, _ remove: @escaping (inout NewDirectoryUser) -> Void
    ) {
        self.feature = feature
        self.isNeeded = isNeeded
        self.what = what
        self.remove = remove
    }
}

extension NewDirectoryUser {
    private var needs: [Need] { accountNeeds + addressNeeds + personNeeds }

    private var accountNeeds: [Need] {
        let isHash = if case .hash = password { true } else { false }
        return [
            Need(.chosenIDs, id != nil, "an id that the caller chooses") { $0.id = nil },
            Need(.externalIDs, externalID != nil, "another system's id") { $0.externalID = nil },
            Need(.passwordHashes, isHash, "a password hash") { $0.password = nil },
            Need(.policyExemptions, isExemptFromPolicy, "a password that is exempt from the policy") {
                $0.isExemptFromPolicy = false
            },
            Need(.phoneFactors, factors.contains(where: \.isVerifiedNumber), "numbers as second factors") {
                $0.factors.removeAll(where: \.isVerifiedNumber)
            },
            Need(.factors, !factors.allSatisfy(\.isVerifiedNumber), "second factors other than verified numbers") {
                $0.factors.removeAll { !$0.isVerifiedNumber }
            },
            Need(.anonymousUsers, isAnonymous, "an anonymous user") { $0.isAnonymous = false },
            Need(.singleSignOn, isSingleSignOn, "a user of single sign-on") { $0.isSingleSignOn = false },
            Need(.tenants, tenant != nil, "a tenant") { $0.tenant = nil },
            Need(.roles, role != nil || audience != nil, "a token role or audience") {
                $0.role = nil
                $0.audience = nil
            },
            Need(.disabling, isDisabled, "a disabled user") { $0.isDisabled = false },
            Need(.banEnds, bannedUntil != nil, "the end of a ban") { $0.bannedUntil = nil },
            Need(.locks, isLocked, "a locked user") { $0.isLocked = false },
            Need(.creationTimes, createdAt != nil, "the time when the account was created") { $0.createdAt = nil },
            Need(.updateTimes, updatedAt != nil, "the time of the last change") { $0.updatedAt = nil },
            Need(.signInTimes, lastSignInAt != nil, "the time of the last sign-in") { $0.lastSignInAt = nil },
        ]
    }

    private var addressNeeds: [Need] {
        let isUnprovenPhone = phone != nil && !isPhoneConfirmed
        return [
            Need(.phones, phone != nil, "a number") {
                $0.phone = nil
                $0.isPhoneConfirmed = false
                $0.phoneConfirmedAt = nil
            },
            Need(
                .unprovenPhones, isUnprovenPhone, "an unverified number, because users can sign in with every number"
            ) { $0.phone = nil },
            Need(
                .confirmationTimes, emailConfirmedAt != nil || phoneConfirmedAt != nil,
                "the time when an address or a number was verified"
            ) {
                $0.emailConfirmedAt = nil
                $0.phoneConfirmedAt = nil
            },
            Need(.otherAddresses, !otherEmails.isEmpty || !otherPhones.isEmpty, "further addresses and numbers") {
                $0.otherEmails = []
                $0.otherPhones = []
            },
            Need(
                .addressIdentities, hasEmailIdentity != nil || hasPhoneIdentity != nil,
                "whether an address or a number is a separate sign-in method"
            ) {
                $0.hasEmailIdentity = nil
                $0.hasPhoneIdentity = nil
            },
            Need(.identityDetails, providerIdentities.contains(where: \.hasDetails), "the data and times of identities") {
                for index in $0.providerIdentities.indices { $0.providerIdentities[index].removeDetails() }
            },
            Need(.identities, !providerIdentities.isEmpty, "identities of providers") { $0.providerIdentities = [] },
        ]
    }

    private var personNeeds: [Need] {
        [
            Need(.usernames, username != nil, "a user name") { $0.username = nil },
            Need(.personNames, firstName != nil || lastName != nil, "separate first and last names") {
                $0.firstName = nil
                $0.lastName = nil
            },
            Need(.photos, photoURL != nil, "the URL of a photo") { $0.photoURL = nil },
            Need(.userMetadata, !userMetadata.isEmpty, "data that the user may change") { $0.userMetadata = [:] },
            Need(.privateMetadata, !privateMetadata.isEmpty, "data that only servers see") { $0.privateMetadata = [:] },
        ]
    }
}

extension DirectoryChanges {
    /// Rejects changes of values that a backend cannot store, before anything is sent.
    ///
    /// - Parameters:
    ///   - features: The features of the directory.
    ///   - backend: The name of the backend.
    /// - Throws: `unsupported` with the name of the value.
    package func check(_ features: Set<DirectoryFeature>, of backend: String) throws(AuthError) {
        let needs: [(DirectoryFeature, isNeeded: Bool, what: String)] = [
            (.phones, phone != nil, "a number"),
            (.photos, photoURL != nil, "the URL of a photo"),
            (.userMetadata, !userMetadata.isEmpty, "data that the user may change"),
            (.privateMetadata, !privateMetadata.isEmpty, "data that only servers see"),
            (.disabling, isDisabled != nil, "whether a user is disabled"),
        ]
        for need in needs where need.isNeeded && !features.contains(need.0) {
            throw DirectoryFeature.unsupported(need.0, need.what, backend)
        }
    }
}

extension DirectoryFeature {
    fileprivate static func unsupported(_ feature: DirectoryFeature, _ what: String, _ backend: String) -> AuthError {
        AuthError(
            .unsupported,
            "\(backend) cannot store \(what) (\(feature)). No request was sent. Leave it out, or store it elsewhere.")
    }
}

extension DirectoryFactor {
    /// Whether the factor is a phone number that the user has verified.
    package var isVerifiedNumber: Bool { if case .phone = kind { isVerified } else { false } }
}

extension DirectoryIdentity {
    fileprivate var hasDetails: Bool { !data.isEmpty || createdAt != nil || lastSignInAt != nil }

    fileprivate mutating func removeDetails() { (data, createdAt, lastSignInAt) = ([:], nil, nil) }
}
