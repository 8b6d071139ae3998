internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives

/// A user of the source with what becomes of it at the target.
struct MappedUser: Sendable {
    enum Outcome: Sendable, Hashable {
        case create
        case skip(UserReason)
        case refuse(UserReason)
    }

    let outcome: Outcome
    /// The user to make; also there if the outcome is another one.
    let new: NewDirectoryUser
    let fields: [FieldVerdict]
    let way: WayIn?
    /// The provider whose page is the way in.
    let provider: String?
}

/// The field table: what becomes of each part of a user between two backends.
///
/// It asks what the target can write, and knows no backend by name.
struct Mapping: Sendable {
    let source: MoveSource
    let target: MoveTarget
    let choices: MoveChoices
    private let space: NameUUID

    init(from source: MoveSource, to target: MoveTarget, _ choices: MoveChoices) {
        self.source = source
        self.target = target
        self.choices = choices
        space = NameUUID("lockstep:\(source.mark)", in: .url)
    }

    /// Returns the id that a user of the source has at the target.
    func targetID(of id: String) -> String {
        switch target.ids {
        case .kept: id
        case .uuids: NameUUID(id, in: space).text
        }
    }

    /// Returns what becomes of a user.
    func map(_ user: DirectoryUser) -> MappedUser {
        var new = NewDirectoryUser(email: user.email, phone: user.phone)
        var fields = Fields()
        new.id = targetID(of: user.id)
        fields.add(.id, new.id == user.id ? .kept : .transformed, new.id == user.id ? nil : .idIsMade)
        new.isEmailConfirmed = user.email != nil && user.isEmailConfirmed
        if user.email != nil { fields.add(.address, .kept) }
        mapNumber(user, &new, &fields)
        let hasPassword = mapPassword(user, &new, &fields)
        mapProfile(user, &new, &fields)
        mapTimes(user, &new, &fields)
        let providers = mapIdentities(user, &new, &fields)
        if !user.factors.isEmpty { mapFactors(user, &new, &fields) }
        if user.factors.contains(where: { $0.kind == .passkey }) { fields.add(.passkeys, .lost, .passkeyIsBound) }
        let way = way(of: new, hasPassword: hasPassword, lacksHash: user.hasPassword == true && !hasPassword, providers)
        return MappedUser(
            outcome: outcome(of: user), new: new, fields: fields.verdicts, way: way,
            provider: way == .provider ? providers.first : nil)
    }

    private func mapNumber(_ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields) {
        guard user.phone != nil else { return }
        let features = target.directory.features
        new.isPhoneConfirmed = user.isPhoneConfirmed
        guard features.contains(.phones), new.isPhoneConfirmed || features.contains(.unprovenPhones) else {
            new.phone = nil
            new.isPhoneConfirmed = false
            fields.add(.number, .lost, .noPlace)
            return
        }
        fields.add(.number, .kept)
    }

    /// Returns whether the password moves.
    private func mapPassword(
        _ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields
    ) -> Bool {
        if let text = user.passwordHash {
            guard let hash = try? PasswordHash(text.reveal()) else {
                fields.add(.password, .lazy, .hashNotReadable)
                return false
            }
            guard target.directory.features.contains(.passwordHashes), let written = target.hashText(hash) else {
                fields.add(.password, .lazy, .hashNotAccepted)
                return false
            }
            new.password = .hash(Secret(written))
            fields.add(.password, .kept)
            return true
        }
        let reason: FieldReason
        switch user.missingHash {
        case .noPassword: return false
        case .notPermitted: reason = .hashNotPermitted
        case .encryptedByServer: reason = .hashEncrypted
        case .notRehashed: reason = .hashImported
        case .notInAPI, .notRequested: reason = .hashNotInAPI
        case .unreadable: reason = .hashNotReadable
        case nil:
            guard user.hasPassword == true else { return false }
            reason = .hashNotReadable
        }
        fields.add(.password, .lazy, reason)
        return false
    }

    private func mapProfile(_ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields) {
        let features = target.directory.features
        if let name = user.displayName {
            new.displayName = name
            fields.add(.name, .kept)
        }
        if let photo = user.photoURL {
            if features.contains(.photos) { new.photoURL = photo }
            fields.add(.photo, features.contains(.photos) ? .kept : .lost, features.contains(.photos) ? nil : .noPlace)
        }
        if user.isDisabled {
            new.isDisabled = true
            fields.add(.disabled, .kept)
        }
        var claims = user.appMetadata.without(source.directory.name == target.directory.name ? [] : target.ownClaims)
        if !user.appMetadata.isEmpty {
            let isWhole = claims.count == user.appMetadata.count
            fields.add(.claims, isWhole ? .transformed : .lost, isWhole ? .claimsMove : .reservedNames)
        }
        if let tenant = user.tenant {
            claims["tenant"] = .string(tenant)
            fields.add(.tenant, .transformed, .tenantMoves)
        }
        new.appMetadata = claims
        if !user.userMetadata.isEmpty {
            if features.contains(.userMetadata) { new.userMetadata = user.userMetadata.without(target.ownUserData) }
            fields.add(
                .userData, features.contains(.userMetadata) ? .kept : .lost, features.contains(.userMetadata) ? nil : .noPlace)
        }
    }

    private func mapTimes(_ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields) {
        let features = target.directory.features
        if let time = user.createdAt {
            if features.contains(.creationTimes) { new.createdAt = time }
            fields.add(
                .created, features.contains(.creationTimes) ? .kept : .needsRows,
                features.contains(.creationTimes) ? nil : .needsRows)
        }
        if let time = user.lastSignInAt {
            if features.contains(.signInTimes) { new.lastSignInAt = time }
            fields.add(
                .lastSignIn, features.contains(.signInTimes) ? .kept : .needsRows,
                features.contains(.signInTimes) ? nil : .needsRows)
        }
    }

    /// Returns the providers other than address and number.
    private func mapIdentities(_ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields) -> [String] {
        guard !user.providerIdentities.isEmpty else { return [] }
        if target.directory.features.contains(.identities) {
            new.providerIdentities = user.providerIdentities
            fields.add(.identities, .kept)
        } else {
            fields.add(.identities, .needsRows, .needsRows)
        }
        return user.providerIdentities.map(\.provider.rawValue).sorted()
    }

    private func mapFactors(_ user: DirectoryUser, _ new: inout NewDirectoryUser, _ fields: inout Fields) {
        new.factors = user.factors.filter { refusal(of: $0) == nil && $0.isSecret }
        if !new.factors.isEmpty { fields.add(.factors, .kept) }
        if refusal(of: user.factors) != nil { fields.add(.factors, .lost, .factorDropped) }
    }

    private func outcome(of user: DirectoryUser) -> MappedUser.Outcome {
        if user.isAnonymous { return choices.guests == .skip ? .skip(.guest) : .refuse(.guest) }
        if user.email == nil, user.phone == nil, target.needsAddressOrNumber || user.providerIdentities.isEmpty {
            return .refuse(.noAddressOrNumber)
        }
        if let email = user.email, !target.acceptsAddress(email) { return .refuse(.addressNotAccepted) }
        if choices.factors == .refuse, let reason = refusal(of: user.factors) { return .refuse(reason) }
        return .create
    }

    /// Why a user's second factors cannot move; `nil` without any.
    ///
    /// Passkeys sign in by themselves, and backup codes stand beside another factor.
    private func refusal(of factors: [DirectoryFactor]) -> UserReason? {
        factors.lazy.compactMap { refusal(of: $0) }.first
    }

    private func refusal(of factor: DirectoryFactor) -> UserReason? {
        let isWritten = target.directory.features.contains(.factors)
        switch factor.kind {
        case .authenticatorApp(let secret): return isWritten && secret != nil ? nil : .appFactor
        case .phone: return isWritten ? nil : .phoneFactor
        case .other: return .otherFactor
        case .passkey, .backupCodes: return nil
        }
    }

    private func way(of new: NewDirectoryUser, hasPassword: Bool, lacksHash: Bool, _ providers: [String]) -> WayIn {
        if new.isDisabled { return .disabled }
        let needsProof = target.verifiesFirst && new.email != nil && !new.isEmailConfirmed
        if hasPassword, !needsProof { return .password }
        if !providers.isEmpty { return .provider }
        if hasPassword { return .passwordAfterProof }
        if new.phone != nil, new.isPhoneConfirmed { return .phoneCode }
        return lacksHash ? .newPassword : .mailLink
    }
}

extension DirectoryFactor {
    /// Whether it is a secret or a number that another backend can verify.
    fileprivate var isSecret: Bool {
        switch kind {
        case .authenticatorApp, .phone: true
        case .passkey, .backupCodes, .other: false
        }
    }
}

/// The verdicts of one user, in the order of the table.
private struct Fields {
    var verdicts: [FieldVerdict] = []

    mutating func add(_ field: MoveField, _ treatment: FieldTreatment, _ reason: FieldReason? = nil) {
        verdicts.append(FieldVerdict(field: field, treatment: treatment, reason: reason))
    }
}
