internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepUserFields

extension Mapping {
    func mapProfile(_ draft: inout MappingDraft) {
        mapName(&draft)
        carry(.photo, ["photoURL"], .photos, &draft) { $0.photoURL = $1.photoURL }
        mapUserData(&draft)
    }

    private func mapName(_ draft: inout MappingDraft) {
        guard let name = draft.user.displayName else { return }
        let hasNames = draft.user.firstName != nil || draft.user.lastName != nil
        guard let split = target.splitName, !hasNames else {
            draft.new.displayName = name
            return draft.add(.name, .kept)
        }
        let (first, last) = split(name)
        (draft.new.firstName, draft.new.lastName) = (first.isEmpty ? nil : first, last.isEmpty ? nil : last)
        draft.add(.name, .transformed, .nameIsSplit)
    }

    private func mapUserData(_ draft: inout MappingDraft) {
        // A backend adds its own members again, and the name and the photo have their own fields.
        let told = [draft.new.displayName, draft.new.photoURL].compactMap { $0.map { JSON.string($0).bytes() } }
        let hasPlace = features.contains(.userMetadata)
        let all = JSONObject(
            draft.user.userMetadata.without(source.ownUserData)
                .filter { !told.contains($0.value.bytes()) || hasPlace && !target.ownUserData.contains($0.name) }
                .map { ($0.name, $0.value) })
        guard hasPlace else {
            if !all.isEmpty { draft.leaveOut(.userData, "userData", .object(all), .noPlace, isOptional: true) }
            return
        }
        let data = all.without(target.ownUserData)
        if !all.isEmpty { draft.add(.userData, .kept) }
        draft.new.userMetadata = target.profile.adding(draft.new.displayName, draft.new.photoURL, to: data)
        if data.count < all.count || data.contains(where: { draft.new.userMetadata[$0.name]?.bytes() != $0.value.bytes() }) {
            draft.add(.userData, .lost, .reservedNames)
        }
    }

    /// Reports numbers that the move does not keep exactly.
    func noteNumbers(_ draft: inout MappingDraft) {
        for (field, data) in [(MoveField.claims, draft.user.appMetadata), (.userData, draft.user.userMetadata)]
        where JSON.object(data).exceeds(target.largestNumber) {
            draft.add(field, .lost, .numbersRounded)
        }
    }

    func mapState(_ draft: inout MappingDraft) {
        guard draft.user.isDisabled else { return }
        draft.new.isDisabled = true
        draft.add(.disabled, .kept)
        carry(.banEnd, ["bannedUntil"], .banEnds, &draft) { $0.bannedUntil = $1.bannedUntil }
    }

    func mapClaims(_ draft: inout MappingDraft) {
        let all = draft.user.appMetadata.without(source.ownClaims)
        var claims = all.without(target.ownClaims)
        if !all.isEmpty {
            let isWhole = claims.count == all.count
            draft.add(.claims, isWhole ? .transformed : .lost, isWhole ? .claimsMove : .reservedNames)
        }
        if let tenant = draft.user.tenant {
            let isFree = claims["tenant"] == nil
            if isFree { claims["tenant"] = .string(tenant) } else { draft.leftOut["tenant"] = .string(tenant) }
            draft.add(.tenant, isFree ? .transformed : .lost, isFree ? .tenantMoves : .tenantClaim)
        }
        draft.new.appMetadata = claims
    }

    func mapTimes(_ draft: inout MappingDraft) {
        let user = draft.user
        if let time = user.createdAt, carries(.created, time, .creationTimes, &draft) { draft.new.createdAt = time }
        if let time = user.lastSignInAt, carries(.lastSignIn, time, .signInTimes, &draft) { draft.new.lastSignInAt = time }
        guard features.contains(.confirmationTimes) else { return }
        if draft.new.isEmailConfirmed { draft.new.emailConfirmedAt = user.emailConfirmedAt.flatMap(writable) }
        if draft.new.isPhoneConfirmed { draft.new.phoneConfirmedAt = user.phoneConfirmedAt.flatMap(writable) }
    }

    private func writable(_ time: Instant) -> Instant? { NewDirectoryUser.writableTimes.contains(time) ? time : nil }

    private func carries(
        _ field: MoveField, _ time: Instant, _ feature: DirectoryFeature, _ draft: inout MappingDraft
    ) -> Bool {
        guard features.contains(feature) else {
            draft.addUnwritten(field, at: target)
            return false
        }
        guard writable(time) != nil else {
            draft.add(field, .lost, .timeOutOfRange)
            return false
        }
        draft.add(field, .kept)
        return true
    }

    /// Maps the addresses and the further numbers: the password, the second factors and the way to sign in depend on them.
    func mapAddresses(_ draft: inout MappingDraft) {
        let user = draft.user
        // An address that is not verified there is not verified here.
        draft.new.isEmailConfirmed = user.email != nil && user.isEmailConfirmed
        // The numbers of second factors are among the factors.
        draft.rest.otherPhones.removeAll(where: \.isSecondFactor)
        carry(.furtherAddresses, ["otherEmails", "otherPhones"], .otherAddresses, &draft) {
            ($0.otherEmails, $0.otherPhones) = ($1.otherEmails, $1.otherPhones.filter { !$0.isSecondFactor })
        }
        if !features.contains(.unprovenPhones), !draft.new.otherPhones.allSatisfy(\.isConfirmed) {
            draft.new.otherPhones.removeAll { !$0.isConfirmed }
            draft.add(.furtherAddresses, .lost, .noPlace)
        }
        draft.new.promoteAddresses()
        guard draft.new.email != nil else { return }
        let isUnverified = !draft.new.isEmailConfirmed
        // Nobody signs in with this address at the source.
        let wasUnclaimed = user.hasEmailIdentity == false
        let isUnclaimed =
            isUnverified && target.reservesAddresses && !draft.new.otherEmails.contains(where: \.isConfirmed)
            && (choices.unverifiedAddresses == .unclaimed || wasUnclaimed && !source.verifiesFirst)
        if isUnclaimed { draft.new.hasEmailIdentity = false }
        let isOpened = isUnverified && !target.verifiesFirst && (source.verifiesFirst || wasUnclaimed)
        draft.add(.address, .kept, isUnclaimed ? .addressUnclaimed : isOpened ? .unverifiedSignsIn : nil)
    }

    /// Values that few backends have: they move if the target can store them.
    ///
    /// Otherwise, the plan lists them as lost.
    func mapRest(_ draft: inout MappingDraft) {
        carry(.username, ["username"], .usernames, &draft) { $0.username = $1.username }
        mapPersonNames(&draft)
        carry(.privateData, ["privateMetadata"], .privateMetadata, &draft) { $0.privateMetadata = $1.privateMetadata }
        if target.ids == .assigned {
            draft.new.externalID = draft.user.id
            if draft.user.externalID != nil { draft.add(.externalID, .lost, .externalIDIsID) }
        } else {
            carry(.externalID, ["externalID"], .externalIDs, &draft) { $0.externalID = $1.externalID }
        }
        carry(.role, ["role", "audience"], .roles, &draft) { ($0.role, $0.audience) = ($1.role, $1.audience) }
        carry(.lock, ["locked"], .locks, &draft) { new, _ in new.isLocked = true }
        carry(.singleSignOn, ["singleSignOn"], .singleSignOn, &draft) { new, _ in new.isSingleSignOn = true }
    }

    private func mapPersonNames(_ draft: inout MappingDraft) {
        let names = [draft.user.firstName, draft.user.lastName].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        guard !names.isEmpty, !features.contains(.personNames), draft.new.displayName?.exact == names.exact else {
            return carry(.personNames, ["firstName", "lastName"], .personNames, &draft) {
                ($0.firstName, $0.lastName) = ($1.firstName, $1.lastName)
            }
        }
        draft.add(.personNames, .transformed, .namesJoined)
    }

    /// Carries values of the list of fields; those that the target cannot store are left out, for the side file.
    private func carry(
        _ field: MoveField, _ names: [String], _ feature: DirectoryFeature, _ draft: inout MappingDraft,
        _ write: (inout NewDirectoryUser, DirectoryUser) -> Void
    ) {
        let rest = draft.rest
        let given = UserFields.fields.filter { names.contains($0.name) && $0.isGiven(rest) }
        guard !given.isEmpty else { return }
        guard features.contains(feature) else {
            for row in given { draft.leftOut[row.name] = row.json(rest) }
            return draft.add(field, .lost, .noPlace)
        }
        write(&draft.new, draft.user)
        draft.add(field, .kept)
    }
}

extension NewDirectoryUser {
    /// Makes the first further address or number the primary one of a user who has none.
    fileprivate mutating func promoteAddresses() {
        if self.email == nil, let first = self.otherEmails.first {
            (self.email, self.isEmailConfirmed) = (first.value, first.isConfirmed)
            self.otherEmails.removeFirst()
        }
        if self.phone == nil, let first = self.otherPhones.first {
            (self.phone, self.isPhoneConfirmed) = (first.value, first.isConfirmed)
            self.otherPhones.removeFirst()
        }
    }
}
