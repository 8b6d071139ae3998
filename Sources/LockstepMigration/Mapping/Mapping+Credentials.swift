internal import Lockstep
internal import LockstepDirectory
internal import LockstepPasswords
internal import LockstepPrimitives

extension Mapping {
    func mapNumber(_ draft: inout MappingDraft) {
        guard draft.user.phone != nil else { return }
        draft.new.isPhoneConfirmed = draft.user.isPhoneConfirmed
        guard features.contains(.phones), draft.new.isPhoneConfirmed || features.contains(.unprovenPhones) else {
            draft.new.phone = nil
            draft.new.isPhoneConfirmed = false
            return draft.add(.number, .lost, .noPlace)
        }
        draft.add(.number, .kept)
    }

    func mapPassword(_ draft: inout MappingDraft) {
        guard let text = draft.user.passwordHash else {
            guard let reason = reason(ofMissing: draft.user) else { return }
            draft.lacksHash = true
            return draft.add(.password, .lazy, reason)
        }
        guard let hash = try? PasswordHash(text.reveal()) else {
            draft.lacksHash = true
            return draft.add(.password, .lazy, .hashNotReadable)
        }
        guard hash.isWhole else {
            draft.lacksHash = true
            return draft.add(.password, .lazy, .hashIncomplete)
        }
        guard features.contains(.passwordHashes), let written = target.hashText(hash) else {
            draft.lacksHash = true
            return draft.add(.password, .lazy, .hashNotAccepted)
        }
        draft.new.password = .hash(Secret(written))
        draft.hashKind = HashKind.name(of: hash)
        draft.add(.password, .kept)
        if choices.unverifiedAddresses == .withoutPassword, draft.new.email != nil, !draft.new.isEmailConfirmed {
            draft.dropPassword(.addressUnverified)
        }
    }

    /// The reason why a hash is missing; `nil` for a user without a password.
    private func reason(ofMissing user: DirectoryUser) -> FieldReason? {
        switch user.missingHash {
        case .noPassword: nil
        case .notPermitted: .hashNotPermitted
        case .encryptedByServer: .hashEncrypted
        case .notRehashed: .hashImported
        case .notInAPI, .notRequested: .hashNotInAPI
        case .outdated: .hashOutdated
        case .notExported: .hashNotExported
        case .unreadable: .hashNotReadable
        case nil: user.hasPassword == true ? .hashNotReadable : nil
        }
    }

    func mapIdentities(_ draft: inout MappingDraft) {
        let all = draft.user.providerIdentities
        guard !all.isEmpty else { return }
        guard features.contains(.identities) else {
            guard all.contains(where: { target.acceptsProvider($0.provider) }) else {
                return draft.add(.identities, .lost, .providerNotAccepted)
            }
            let isLinked = target.otherWay == nil && target.linksByAddress && draft.new.isEmailConfirmed
            guard isLinked else { return draft.addUnwritten(.identities, at: target) }
            return draft.add(.identities, .lost, .linkedAgain)
        }
        var names: Set<[ExactString]> = []
        var providers: Set<ExactString> = []
        let distinct = all.filter {
            target.acceptsProvider($0.provider) && names.insert([$0.provider.rawValue.exact, $0.subject.exact]).inserted
        }
        let moving = distinct.filter {
            providers.insert($0.provider.rawValue.exact).inserted || target.hasIdentitiesOfOneProvider
        }
        draft.new.providerIdentities = moving
        let hasDetails = features.contains(.identityDetails)
        if !hasDetails { draft.new = draft.new.removing(.identityDetails) }
        if !moving.isEmpty { draft.add(.identities, hasDetails ? .kept : .transformed, hasDetails ? nil : .detailsStay) }
        if all.contains(where: { !target.acceptsProvider($0.provider) }) {
            draft.add(.identities, .lost, .providerNotAccepted)
        }
        if moving.count < distinct.count { draft.add(.identities, .lost, .oneOfProvider) }
    }

    /// Maps the second factors that can be moved.
    ///
    /// - Returns: The reason why a factor cannot be moved; `nil` if all factors can be moved. Passkeys sign in without a second
    ///   factor, backup codes only replace another factor, and an unverified factor protects nobody.
    func mapFactors(_ draft: inout MappingDraft) -> UserReason? {
        var reason: UserReason?
        var moving: [DirectoryFactor] = []
        for factor in draft.user.factors {
            let refusal: UserReason
            switch factor.kind {
            case .passkey:
                draft.add(.passkeys, .lost, .passkeyIsBound)
                continue
            case .backupCodes:
                if !factor.codes.isEmpty, features.contains(.backupCodes) {
                    draft.add(.backupCodes, .kept)
                    moving.append(factor)
                } else {
                    draft.add(.backupCodes, .lost, .codesStay)
                }
                continue
            case .authenticatorApp(let secret):
                if secret != nil, features.contains(factor.isApp ? .appFactors : .factors),
                    target.acceptsFactor(factor, draft.new)
                {
                    moving.append(factor)
                    continue
                }
                refusal = secret == nil ? .appFactor : .appFactorNotAccepted
            case .phone:
                if features.contains(factor.isVerified ? .phoneFactors : .factors), target.acceptsFactor(factor, draft.new) {
                    moving.append(factor)
                    continue
                }
                refusal = .phoneFactor
            case .other: refusal = .otherFactor
            }
            if factor.isVerified { reason = reason ?? refusal }
        }
        draft.new.factors = moving
        let hasFactors = moving.contains { if case .backupCodes = $0.kind { false } else { true } }
        if !hasFactors, !moving.isEmpty {
            // Codes only replace another factor.
            draft.new.factors = []
            draft.fields.removeAll { $0.field == .backupCodes }
            draft.add(.backupCodes, .lost, .codesStay)
        }
        if hasFactors { draft.add(.factors, .kept) }
        guard reason != nil else { return nil }
        draft.add(.factors, .lost, .factorDropped)
        // Without the second factor the password alone would open more than it did.
        if choices.factors == .withoutPassword { draft.dropPassword(.passwordDropped) }
        return reason
    }
}
