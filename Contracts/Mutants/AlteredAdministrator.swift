internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

/// An API for administrators that lists other users, accepts other tokens, or ignores one operation.
struct AlteredAdministrator: BackendAdministrator {
    /// The operations that the API can ignore.
    enum Operation: String, CaseIterable, Sendable {
        case rename, disable, delete, endSessions, setPassword, switchOff, demandNewPassword, demand
    }

    let base: any BackendAdministrator
    var listing: @Sendable ([StoredUser]) -> [StoredUser] = { $0 }
    var taking: @Sendable (Bool) -> Bool = { $0 }
    /// Returns whether the API accepts an access token.
    ///
    /// The arguments are the token and the backend's response.
    var takingToken: @Sendable (Secret, Bool) -> Bool = { $1 }
    var idle: Operation?

    init(base: any BackendAdministrator) { self.base = base }

    func users() async throws -> [StoredUser] { listing(try await base.users()) }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        try await base.create(email: email, password: password, isEmailVerified: isEmailVerified, displayName: displayName)
    }

    func rename(_ userID: String, to displayName: String) async throws {
        if idle != .rename { try await base.rename(userID, to: displayName) }
    }

    func disable(_ userID: String) async throws { if idle != .disable { try await base.disable(userID) } }

    func delete(_ userID: String) async throws { if idle != .delete { try await base.delete(userID) } }

    func endSessions(of userID: String) async throws { if idle != .endSessions { try await base.endSessions(of: userID) } }

    func setPassword(_ password: String, of userID: String) async throws {
        if idle != .setPassword { try await base.setPassword(password, of: userID) }
    }

    func switchOff(_ capability: Capability) async throws { if idle != .switchOff { try await base.switchOff(capability) } }

    func create(phone: String) async throws -> String { try await base.create(phone: phone) }

    func ticket(for userID: String) async throws -> Secret { try await base.ticket(for: userID) }

    func invitation(to email: String) async throws -> String? { try await base.invitation(to: email) }

    func link(with ticket: Secret) async throws -> String? { try await base.link(with: ticket) }

    func addFactor(to userID: String) async throws -> EnrolledFactor { try await base.addFactor(to: userID) }

    func allowPhones() async throws -> Bool { try await base.allowPhones() }

    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor { try await base.addPhoneFactor(to: userID) }

    func createOrganization(named name: String, members: [String]) async throws -> String {
        try await base.createOrganization(named: name, members: members)
    }

    func demandNewPassword(of userID: String) async throws {
        if idle != .demandNewPassword { try await base.demandNewPassword(of: userID) }
    }

    func demand(_ field: MissingFieldsStep.Field) async throws { if idle != .demand { try await base.demand(field) } }

    func demandCaptcha() async throws -> Secret { try await base.demandCaptcha() }

    func accepts(accessToken: Secret) async throws -> Bool {
        takingToken(accessToken, taking(try await base.accepts(accessToken: accessToken)))
    }

    func accepts(refreshToken: Secret) async throws -> Bool { taking(try await base.accepts(refreshToken: refreshToken)) }
}
