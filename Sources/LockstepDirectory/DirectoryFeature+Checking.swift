package import Lockstep
internal import LockstepPrimitives
internal import LockstepUserFields

extension NewDirectoryUser {
    /// The features that a directory needs to store every value of this user.
    ///
    /// Compare this list with ``UserDirectory/features``, which lists the features that a directory has.
    public var requiredFeatures: Set<DirectoryFeature> { Set(Need.all.filter { $0.isNeeded(self) }.map(\.feature)) }

    /// Returns a copy of the user without the values that need a feature.
    ///
    /// - Parameter feature: A feature that a directory does not have, such as one of ``requiredFeatures``.
    /// - Returns: The copy. For the feature ``DirectoryFeature/unprovenPhones``, an unverified number is removed completely.
    public func removing(_ feature: DirectoryFeature) -> NewDirectoryUser {
        guard let need = Need.all.first(where: { $0.feature == feature }), need.isNeeded(self) else { return self }
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
        for need in Need.all where !features.contains(need.feature) && need.isNeeded(self) {
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
            ("createdAt", self.createdAt), ("updatedAt", self.updatedAt), ("lastSignInAt", self.lastSignInAt),
            ("emailConfirmedAt", self.emailConfirmedAt), ("phoneConfirmedAt", self.phoneConfirmedAt),
            ("bannedUntil", self.bannedUntil),
        ]
        for address in self.otherEmails + self.otherPhones { all.append(("confirmedAt", address.confirmedAt)) }
        for factor in factors { all.append(("createdAt", factor.createdAt)) }
        for identity in providerIdentities {
            all += [("createdAt", identity.createdAt), ("lastSignInAt", identity.lastSignInAt)]
        }
        return all.compactMap { name, time in time.map { (name, $0) } }
    }

    /// A sentence about two values of the user that contradict each other; `nil` if there is no contradiction.
    private var contradiction: String? {
        if self.emailConfirmedAt != nil, !self.isEmailConfirmed || self.email == nil {
            return "`emailConfirmedAt` is set, but the user has no confirmed address."
        }
        if self.phoneConfirmedAt != nil, !self.isPhoneConfirmed || self.phone == nil {
            return "`phoneConfirmedAt` is set, but the user has no confirmed number."
        }
        if self.isAnonymous, self.email != nil || self.phone != nil || password != nil || !providerIdentities.isEmpty {
            return "An anonymous user must not have an address, number, password or identity."
        }
        if Set(providerIdentities.map { [$0.provider.rawValue.exact, $0.subject.exact] }).count < providerIdentities.count {
            return "The user has the same identity twice."
        }
        if let displayName = self.displayName, self.firstName != nil || self.lastName != nil,
            [self.firstName, self.lastName].compactMap(\.self).filter({ !$0.isEmpty }).joined(separator: " ") != displayName
        {
            return "`displayName` does not match `firstName` and `lastName`."
        }
        return nil
    }
}

/// A value of a new user that not every directory can store.
private struct Need: Sendable {
    let feature: DirectoryFeature
    /// The name of the value in a sentence.
    let what: String
    /// The names of the fields that need the feature.
    var fields: [String] = []
    let isNeeded: @Sendable (NewDirectoryUser) -> Bool
    /// Removes the value from a user.
    let remove: @Sendable (inout NewDirectoryUser) -> Void

    init(
        _ feature: DirectoryFeature, _ what: String, _ isNeeded: @escaping @Sendable (NewDirectoryUser) -> Bool,
        _ remove: @escaping @Sendable (inout NewDirectoryUser) -> Void
    ) {
        (self.feature, self.what, self.isNeeded, self.remove) = (feature, what, isNeeded, remove)
    }

    /// Fields of the list: with `each`, each of them needs the feature, otherwise the first one does.
    init(_ feature: DirectoryFeature, _ names: [String], _ what: String, each: Bool = true) {
        let fields = UserFields.fields.filter { names.contains($0.name) }
        let needing = each ? fields : Array(fields.prefix(1))
        self.init(feature, what) { user in
            needing.contains { $0.isGiven(user.values) }
        } _: { user in
            for field in fields { field.remove(&user.values) }
        }
        self.fields = names
    }

    static let all: [Need] = [
        Need(.chosenIDs, "an id that the caller chooses", { $0.id != nil }) { $0.id = nil },
        Need(.externalIDs, ["externalID"], "another system's id"),
        Need(.passwordHashes, "a password hash", { if case .hash = $0.password { true } else { false } }) { $0.password = nil },
        Need(.policyExemptions, "a password that is exempt from the policy", \.isExemptFromPolicy) {
            $0.isExemptFromPolicy = false
        },
        Need(.phoneFactors, "numbers as second factors", { $0.factors.contains(where: \.isVerifiedNumber) }) {
            $0.factors.removeAll(where: \.isVerifiedNumber)
        },
        Need(.factors, "other second factors", { $0.factors.contains(where: \.isOther) }) {
            $0.factors.removeAll(where: \.isOther)
        },
        Need(.appFactors, "an authenticator app", { $0.factors.contains(where: \.isApp) }) {
            $0.factors.removeAll(where: \.isApp)
        },
        Need(.backupCodes, "backup codes", { $0.factors.contains(where: \.areCodes) }) {
            $0.factors.removeAll(where: \.areCodes)
        },
        Need(.anonymousUsers, ["anonymous"], "an anonymous user"),
        Need(.singleSignOn, ["singleSignOn"], "a user of single sign-on"),
        Need(.tenants, ["tenant"], "a tenant"),
        Need(.roles, ["role", "audience"], "a token role or audience"),
        Need(.disabling, ["disabled"], "a disabled user"),
        Need(.banEnds, ["bannedUntil"], "the end of a ban"),
        Need(.locks, ["locked"], "a locked user"),
        Need(.creationTimes, ["createdAt"], "the time when the account was created"),
        Need(.updateTimes, ["updatedAt"], "the time of the last change"),
        Need(.signInTimes, ["lastSignInAt"], "the time of the last sign-in"),
        Need(.phones, ["phone", "phoneConfirmed", "phoneConfirmedAt"], "a number", each: false),
        Need(
            .unprovenPhones, "an unverified number, because users can sign in with every number",
            { $0.phone != nil && !$0.isPhoneConfirmed }
        ) { $0.phone = nil },
        Need(
            .confirmationTimes, ["emailConfirmedAt", "phoneConfirmedAt"],
            "the time when an address or a number was verified"),
        Need(.otherAddresses, ["otherEmails", "otherPhones"], "further addresses and numbers"),
        Need(
            .addressIdentities, ["emailIdentity", "phoneIdentity"],
            "whether an address or a number is a separate sign-in method"),
        Need(.identityDetails, "the data and times of identities", { $0.providerIdentities.contains(where: \.hasDetails) }) {
            for index in $0.providerIdentities.indices { $0.providerIdentities[index].removeDetails() }
        },
        Need(.identities, "identities of providers", { !$0.providerIdentities.isEmpty }) { $0.providerIdentities = [] },
        Need(.usernames, ["username"], "a user name"),
        Need(.personNames, ["firstName", "lastName"], "separate first and last names"),
        Need(.photos, ["photoURL"], "the URL of a photo"),
        Need(.userMetadata, ["userMetadata"], "data that the user may change"),
        Need(.privateMetadata, ["privateMetadata"], "data that only servers see"),
    ]
}

extension UserField<UserFields> {
    /// The feature without which a directory cannot store the value; `nil` if every directory stores it.
    package var feature: DirectoryFeature? { Need.all.first { $0.fields.contains(name) }?.feature }
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
            (.personNames, firstName != nil || lastName != nil, "separate first and last names"),
            (.usernames, username != nil, "a user name"),
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
    /// Whether the factor is an authenticator app that the user has verified, with its secret.
    package var isApp: Bool { if case .authenticatorApp(.some) = kind { isVerified } else { false } }
    /// Whether the factor is backup codes, which are there.
    package var areCodes: Bool { if case .backupCodes = kind { !codes.isEmpty } else { false } }
    fileprivate var isOther: Bool { !isVerifiedNumber && !isApp && !areCodes }
}

extension DirectoryIdentity {
    fileprivate var hasDetails: Bool { !data.isEmpty || createdAt != nil || lastSignInAt != nil }

    fileprivate mutating func removeDetails() { (data, createdAt, lastSignInAt) = ([:], nil, nil) }
}
