internal import Lockstep
internal import LockstepPrimitives

struct AlteredFactors: SecondFactors {
    let base: any SecondFactors
    let changes: AlteredAdapter.Changes

    var kinds: Set<FactorChoice.Kind> { base.kinds }

    func all(of session: Session) async throws(AuthError) -> (user: String, factors: [FactorChoice]) {
        if let other = try await changes.instead(.account, session) { return (other.user.id, []) }
        return try await changes.passing(.account, session) { sent throws(AuthError) in try await base.all(of: sent) }
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
        if let other = try await changes.instead(.account, session) { return (other.user.id, []) }
        return try await changes.passing(.account, session) { sent throws(AuthError) in try await base.all(of: sent) }
    }

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
        if let other = try await changes.instead(.account, session) { return (other.user.id, []) }
        return try await changes.passing(.account, session) { sent throws(AuthError) in try await base.all(of: sent) }
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
