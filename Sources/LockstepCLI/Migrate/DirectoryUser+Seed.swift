import LockstepDirectory
import LockstepEmulation
import LockstepPrimitives

/// An error of a user's value in a file: the member, and a sentence.
struct MoveValueProblem: Error {
    let sentence: String
}

extension DirectoryUser {
    /// Creates a user from a file in the neutral format.
    ///
    /// - Parameter user: The user in the file. Sessions belong to the old backend, and are not read.
    /// - Throws: ``MoveValueProblem`` for a user without an id, for a plain password, and for an unknown reason.
    init(_ user: SeedUser) throws(MoveValueProblem) {
        guard let id = user.values.id, !id.isEmpty else { throw MoveValueProblem(sentence: "The user has no \"id\". Add it.") }
        guard user.values.password == nil else {
            throw MoveValueProblem(sentence: "The user has a \"password\" in plain text. Write \"passwordHash\" instead.")
        }
        self.init(id: id)
        email = user.values.email.nonEmpty
        isEmailConfirmed = user.values.isEmailConfirmed ?? false
        emailConfirmedAt = user.emailConfirmedAt
        phone = user.values.phone.nonEmpty
        isPhoneConfirmed = user.values.isPhoneConfirmed ?? false
        phoneConfirmedAt = user.phoneConfirmedAt
        otherEmails = user.otherEmails.map(DirectoryAddress.init)
        otherPhones = user.otherPhones.map(DirectoryAddress.init)
        hasEmailIdentity = user.hasEmailIdentity
        hasPhoneIdentity = user.hasPhoneIdentity
        username = user.username
        displayName = user.values.displayName.nonEmpty
        firstName = user.firstName
        lastName = user.lastName
        photoURL = user.values.photoURL.nonEmpty
        isAnonymous = user.isAnonymous
        isDisabled = user.values.isDisabled ?? false
        bannedUntil = user.bannedUntil
        isLocked = user.isLocked
        tenant = user.tenant
        isSingleSignOn = user.isSingleSignOn
        role = user.role
        audience = user.audience
        providerIdentities = user.identities.map(DirectoryIdentity.init)
        factors = user.factors.map(DirectoryFactor.init) + user.otherFactors.map(DirectoryFactor.init)
        notShown = Set(user.notShown.map(DirectoryFeature.init))
        providers = user.providers.map(IdentityProvider.init)
        userMetadata = user.values.userMetadata ?? [:]
        appMetadata = user.values.appMetadata ?? [:]
        privateMetadata = user.values.privateMetadata ?? [:]
        externalID = user.externalID
        passwordHash = user.passwordHash
        missingHash = try passwordHash == nil ? Self.reason(user.missingHash) : nil
        hasPassword = missingHash != .noPassword
        passwordChangedAt = user.passwordChangedAt
        sessionsValidSince = user.sessionsValidSince
        createdAt = user.createdAt
        updatedAt = user.updatedAt
        lastSignInAt = user.lastSignInAt
    }

    private static func reason(_ text: String?) throws(MoveValueProblem) -> MissingHash {
        guard let text else { return .noPassword }
        if let reason = MissingHash(rawValue: text) { return reason }
        let names = MissingHash.allCases.map(\.rawValue)
        throw MoveValueProblem(
            sentence:
                "invalid value \"\(text.prefix(40).description.visible)\" for \"missingHash\": expected \(names.listedAsChoice)")
    }
}

extension SeedUser {
    /// Creates a user of a file in the neutral format from a directory's user.
    ///
    /// The backend's own fields are left out, because each value has its own member.
    ///
    /// - Parameter user: The user that a directory has read.
    init(_ user: DirectoryUser) {
        self.init()
        values.id = user.id
        values.email = user.email
        values.isEmailConfirmed = user.email != nil && user.isEmailConfirmed
        emailConfirmedAt = user.email == nil ? nil : user.emailConfirmedAt
        values.phone = user.phone
        values.isPhoneConfirmed = user.phone != nil && user.isPhoneConfirmed
        phoneConfirmedAt = user.phone == nil ? nil : user.phoneConfirmedAt
        otherEmails = user.otherEmails.map(SeedAddress.init)
        otherPhones = user.otherPhones.map(SeedAddress.init)
        hasEmailIdentity = user.hasEmailIdentity
        hasPhoneIdentity = user.hasPhoneIdentity
        username = user.username
        values.displayName = user.displayName
        firstName = user.firstName
        lastName = user.lastName
        values.photoURL = user.photoURL
        isAnonymous = user.isAnonymous
        values.isDisabled = user.isDisabled
        bannedUntil = user.isDisabled ? user.bannedUntil : nil
        isLocked = user.isLocked
        tenant = user.tenant
        isSingleSignOn = user.isSingleSignOn
        role = user.role
        audience = user.audience
        identities = user.providerIdentities.map(SeedIdentity.init)
        for factor in user.factors { add(factor) }
        notShown = user.notShown.map(\.rawValue).sorted()
        providers = user.providers.map(\.rawValue)
        values.userMetadata = user.userMetadata
        values.appMetadata = user.appMetadata
        values.privateMetadata = user.privateMetadata
        externalID = user.externalID
        passwordHash = user.passwordHash
        missingHash = user.passwordHash != nil || user.missingHash == .noPassword ? nil : user.missingHash?.rawValue
        passwordChangedAt = user.passwordChangedAt
        sessionsValidSince = user.sessionsValidSince
        createdAt = user.createdAt
        updatedAt = user.updatedAt
        lastSignInAt = user.lastSignInAt
    }

    private mutating func add(_ factor: DirectoryFactor) {
        func other(_ kind: String, type: String? = nil, count: Int? = nil) {
            otherFactors.append(
                SeedFactor(
                    kind, type: type, count: count, name: factor.friendlyName, isVerified: factor.isVerified,
                    createdAt: factor.createdAt))
        }
        func own(_ method: FactorValues.Method) {
            var values = FactorValues(method, name: factor.friendlyName)
            (values.isVerified, values.createdAt) = (factor.isVerified, factor.createdAt)
            factors.append(values)
        }
        switch factor.kind {
        case .authenticatorApp(let secret): own(.totp(secret: secret))
        case .phone(let number): own(.phone(number))
        case .passkey: other("passkey")
        case .backupCodes(let count): other("backupCodes", count: count)
        case .other(let type): other("other", type: type)
        }
    }
}

// Parts of a user, in both directions.

extension DirectoryAddress {
    fileprivate init(_ address: SeedAddress) {
        self.init(
            address.value, isConfirmed: address.isConfirmed, confirmedAt: address.confirmedAt,
            isSecondFactor: address.isSecondFactor)
    }
}

extension SeedAddress {
    fileprivate init(_ address: DirectoryAddress) {
        self.init(
            address.value, isConfirmed: address.isConfirmed, confirmedAt: address.confirmedAt,
            isSecondFactor: address.isSecondFactor)
    }
}

extension DirectoryIdentity {
    fileprivate init(_ identity: SeedIdentity) {
        self.init(
            IdentityProvider(rawValue: identity.provider), subject: identity.subject, email: identity.email,
            data: identity.data, createdAt: identity.createdAt, lastSignInAt: identity.lastSignInAt)
        displayName = identity.displayName
        photoURL = identity.photoURL
    }
}

extension SeedIdentity {
    fileprivate init(_ identity: DirectoryIdentity) {
        self.init(
            provider: identity.provider.rawValue, subject: identity.subject, email: identity.email, data: identity.data)
        displayName = identity.displayName
        photoURL = identity.photoURL
        createdAt = identity.createdAt
        lastSignInAt = identity.lastSignInAt
    }
}

extension DirectoryFactor {
    fileprivate init(_ factor: FactorValues) {
        let kind: Kind =
            switch factor.method {
            case .totp(let secret): .authenticatorApp(secret: secret)
            case .phone(let number): .phone(number)
            }
        self.init(kind, friendlyName: factor.name, isVerified: factor.isVerified, createdAt: factor.createdAt)
    }

    fileprivate init(_ factor: SeedFactor) {
        let kind: Kind =
            switch factor.kind {
            case "passkey": .passkey
            case "backupCodes": .backupCodes(count: factor.count ?? (factor.codes.isEmpty ? nil : factor.codes.count))
            default: .other(factor.type ?? factor.kind)
            }
        self.init(kind, friendlyName: factor.name, isVerified: factor.isVerified, createdAt: factor.createdAt)
    }
}

extension String? {
    /// The text; `nil` for an empty one.
    fileprivate var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
