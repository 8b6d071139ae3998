import LockstepContracts
import LockstepEmulatorTestSupport

/// The controls of Acme that its harness provides.
extension EmulatorServer where Provider == AcmeServer {
    var outbox: Mailbox { Mailbox(panel) }
    var clock: EmulatorTime { EmulatorTime(panel) }
    var admin: AcmeAdministrator { AcmeAdministrator(server: emulator) }
}

/// Acme's users for its administrator.
///
/// They have no passwords, and the only sign-in method cannot be disabled.
struct AcmeAdministrator: BackendAdministrator {
    let server: AcmeServer

    func users() async throws -> [StoredUser] {
        server.change(\.users).map {
            StoredUser(id: $0.id, email: $0.email, isEmailVerified: $0.isVerified, displayName: $0.name, isDisabled: $0.isBlocked)
        }
    }

    /// Creates a user with the address.
    ///
    /// The password is not stored.
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        let user = AcmeRecords.User(
            id: "user_" + SystemRandomness().text(16), email: email.lowercased(), name: displayName, isVerified: isEmailVerified)
        server.change { $0.users.append(user) }
        return user.id
    }

    func rename(_ userID: String, to displayName: String) async throws { try change(userID) { $0.name = displayName } }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        try change(userID) { $0.isVerified = isVerified }
    }

    func disable(_ userID: String) async throws { try change(userID) { $0.isBlocked = true } }

    func delete(_ userID: String) async throws {
        _ = try place(of: userID)
        server.change { records in records.users.removeAll { $0.id == userID } }
    }

    func endSessions(of userID: String) async throws {
        server.change { records in
            for place in records.sessions.indices where records.sessions[place].userID == userID {
                records.sessions[place].isOver = true
            }
        }
    }

    func setPassword(_ password: String, of userID: String) async throws {
        throw EnvironmentError("Acme's users have no passwords")
    }

    func switchOff(_ capability: Capability) async throws { throw EnvironmentError("Acme has no switch for \(capability)") }

    func accepts(accessToken: Secret) async throws -> Bool { server.takes(access: accessToken.reveal()) }

    func accepts(refreshToken: Secret) async throws -> Bool { server.takes(refresh: refreshToken.reveal()) }

    private func place(of userID: String) throws -> Int {
        let place = server.change(\.users).firstIndex { $0.id == userID }
        guard let place else { throw HarnessFailure("Acme has no user \(userID).") }
        return place
    }

    private func change(_ userID: String, _ body: (inout AcmeRecords.User) -> Void) throws {
        let place = try place(of: userID)
        server.change { body(&$0.users[place]) }
    }
}
