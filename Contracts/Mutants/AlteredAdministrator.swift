package import Lockstep
package import LockstepContracts
package import LockstepPrimitives

/// An API for administrators that lists other users, accepts other tokens, or ignores one operation.
package struct AlteredAdministrator: BackendAdministrator {
    /// The operations that the API can ignore.
    package enum Operation: String, CaseIterable, Sendable {
        case rename, disable, delete, endSessions, setPassword, switchOff, demandNewPassword, demand
    }

    let base: any BackendAdministrator
    package var listing: @Sendable ([StoredUser]) -> [StoredUser] = { $0 }
    package var accepting: @Sendable (Bool) -> Bool = { $0 }
    /// Returns whether the API accepts an access token.
    ///
    /// The arguments are the token and the backend's response.
    package var acceptingToken: @Sendable (Secret, Bool) -> Bool = { $1 }
    package var idle: Operation?

    package init(base: any BackendAdministrator) { self.base = base }

    package func users() async throws -> [StoredUser] { listing(try await base.users()) }

    package func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        try await base.create(email: email, password: password, isEmailVerified: isEmailVerified, displayName: displayName)
    }

    package func rename(_ userID: String, to displayName: String) async throws {
        if idle != .rename { try await base.rename(userID, to: displayName) }
    }

    package func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        try await base.setEmailVerified(isVerified, of: userID)
    }

    package func disable(_ userID: String) async throws { if idle != .disable { try await base.disable(userID) } }

    package func delete(_ userID: String) async throws { if idle != .delete { try await base.delete(userID) } }

    package func endSessions(of userID: String) async throws {
        if idle != .endSessions { try await base.endSessions(of: userID) }
    }

    package func setPassword(_ password: String, of userID: String) async throws {
        if idle != .setPassword { try await base.setPassword(password, of: userID) }
    }

    package func switchOff(_ capability: Capability) async throws {
        if idle != .switchOff { try await base.switchOff(capability) }
    }

    package func create(phone: String) async throws -> String { try await base.create(phone: phone) }

    package func ticket(for userID: String) async throws -> Secret { try await base.ticket(for: userID) }

    package func invitation(to email: String) async throws -> String? { try await base.invitation(to: email) }

    package func link(with ticket: Secret) async throws -> String? { try await base.link(with: ticket) }

    package func addFactor(to userID: String) async throws -> EnrolledFactor { try await base.addFactor(to: userID) }

    package func allowPhones() async throws -> Bool { try await base.allowPhones() }

    package func addPhoneFactor(to userID: String) async throws -> EnrolledFactor { try await base.addPhoneFactor(to: userID) }

    package func createOrganization(named name: String, members: [String]) async throws -> String {
        try await base.createOrganization(named: name, members: members)
    }

    package func demandNewPassword(of userID: String) async throws {
        if idle != .demandNewPassword { try await base.demandNewPassword(of: userID) }
    }

    package func demand(_ field: MissingFieldsStep.Field) async throws { if idle != .demand { try await base.demand(field) } }

    package func demandCaptcha() async throws -> Secret { try await base.demandCaptcha() }

    package func accepts(accessToken: Secret) async throws -> Bool {
        acceptingToken(accessToken, accepting(try await base.accepts(accessToken: accessToken)))
    }

    package func accepts(refreshToken: Secret) async throws -> Bool {
        accepting(try await base.accepts(refreshToken: refreshToken))
    }
}
