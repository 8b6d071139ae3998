internal import Lockstep
internal import LockstepPrimitives

struct AlteredProfile: ProfileUpdate {
    let base: any ProfileUpdate
    let changes: AlteredAdapter.Changes

    var acceptsPhoto: Bool { base.acceptsPhoto }
    var acceptsMetadata: Bool { base.acceptsMetadata }

    func update(_ update: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in try await base.update(update, of: sent ?? session) }
    }
}

struct AlteredPasswordChange: PasswordChange {
    let base: any PasswordChange
    let changes: AlteredAdapter.Changes

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.change(to: new, current: current, of: sent ?? session)
        }
    }

    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await changes.step(session, nil) { sent throws(AuthError) in
            try await base.begin(to: new, of: sent ?? session, in: flow)
        }
    }
}

struct AlteredEmailChange: EmailChange {
    let base: any EmailChange
    let changes: AlteredAdapter.Changes

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await changes.step(session, nil) { sent throws(AuthError) in
            try await base.begin(email: email, of: sent ?? session, in: flow)
        }
    }
}

struct AlteredLinking: IdentityLinking {
    let base: any IdentityLinking
    let changes: AlteredAdapter.Changes

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.unlink(identity, from: sent ?? session)
        }
    }
}

struct AlteredDeletion: AccountDeletion {
    let base: any AccountDeletion
    let changes: AlteredAdapter.Changes

    func delete(_ session: Session) async throws(AuthError) {
        try await changes.passing(.account, session) { sent throws(AuthError) in try await base.delete(sent) }
    }
}

struct AlteredFactors: SecondFactors {
    let base: any SecondFactors
    let changes: AlteredAdapter.Changes

    var kinds: Set<FactorChoice.Kind> { base.kinds }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        try await changes.list(session, of: { ($0, []) }) { sent throws(AuthError) in try await base.all(of: sent) }
    }

    func begin(_ factor: NewFactor, of session: Session, in flow: FlowMemory) async throws(AuthError) -> FactorEnrolment {
        try await changes.passing(.account, session) { sent throws(AuthError) in
            try await base.begin(factor, of: sent, in: flow)
        }
    }

    var makesBackupCodes: Bool { base.makesBackupCodes }

    func renewBackupCodes(of session: Session) async throws(AuthError) -> [Secret] {
        try await changes.passing(.account, session) { sent throws(AuthError) in try await base.renewBackupCodes(of: sent) }
    }

    func remove(_ factor: FactorChoice, from session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.remove(factor, from: sent ?? session)
        }
    }
}

struct AlteredPasskeys: PasskeyManagement {
    let base: any PasskeyManagement
    let changes: AlteredAdapter.Changes

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        try await changes.list(session, of: { ($0, []) }) { sent throws(AuthError) in try await base.all(of: sent) }
    }

    var acceptsNames: Bool { base.acceptsNames }

    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.rename(passkey, to: name, of: sent ?? session)
        }
    }

    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.remove(passkey, from: sent ?? session)
        }
    }
}

struct AlteredOrganizations: OrganizationSwitching {
    let base: any OrganizationSwitching
    let changes: AlteredAdapter.Changes

    func all(of session: Session) async throws(AuthError) -> (user: String?, organizations: [Organization]) {
        try await changes.list(session, of: { ($0, []) }) { sent throws(AuthError) in try await base.all(of: sent) }
    }

    func activate(_ organization: Organization?, in session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in
            try await base.activate(organization, in: sent ?? session)
        }
    }
}

struct AlteredPhotos: PhotoUpload {
    let base: any PhotoUpload
    let changes: AlteredAdapter.Changes

    func set(_ photo: Photo?, of session: Session) async throws(AuthError) -> Session {
        try await changes.call(.account, session) { sent throws(AuthError) in try await base.set(photo, of: sent ?? session) }
    }
}

extension AlteredAdapter.Changes {
    /// Returns a list that belongs to the user.
    ///
    /// If the response is about another user, returns that user's empty list.
    fileprivate func list<Answer>(
        _ session: Session, of other: (_ userID: String) -> Answer, _ body: (Session) async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        if let session = try await instead(.account, session) { return other(session.user.id) }
        return try await passing(.account, session, body)
    }
}
