import LockstepContracts
import LockstepEmulatorTestSupport

/// The controls of Acme that its harness provides.
extension EmulatorServer where Provider == AcmeServer {
    var outbox: Mailbox { Mailbox(panel) }
    var clock: EmulatorTime { EmulatorTime(panel) }
    var admin: AcmeAdministrator { AcmeAdministrator(server: emulator) }
}

/// Acme's users for its administrator, who can switch passwords off.
struct AcmeAdministrator: BackendAdministrator {
    let server: AcmeServer

    func users() async throws -> [StoredUser] {
        server.change(\.users).map {
            StoredUser(id: $0.id, email: $0.email, isEmailVerified: $0.isVerified, displayName: $0.name, isDisabled: $0.isBlocked)
        }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        let user = AcmeRecords.User(
            id: "user_" + SystemRandomness().text(16), email: email.lowercased(), name: displayName, password: password,
            isVerified: isEmailVerified)
        server.change { $0.users.append(user) }
        return user.id
    }

    func rename(_ userID: String, to displayName: String) async throws { try change(userID) { $0.name = displayName } }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        try change(userID) { $0.isVerified = isVerified }
    }

    func disable(_ userID: String) async throws { try change(userID) { $0.isBlocked = true } }

    func delete(_ userID: String) async throws {
        let place = try place(of: userID)
        server.change { records in
            let user = records.users.remove(at: place)
            records.codes.removeAll { $0.email.bytes == user.email.bytes }
        }
    }

    func endSessions(of userID: String) async throws {
        server.change { records in
            for place in records.sessions.indices where records.sessions[place].userID == userID {
                records.sessions[place].isOver = true
            }
        }
    }

    /// A new password ends the user's sessions.
    func setPassword(_ password: String, of userID: String) async throws {
        try change(userID) { $0.password = password }
        try await endSessions(of: userID)
    }

    func switchOff(_ capability: Capability) async throws {
        guard capability == .password else { throw EnvironmentError("Acme has no switch for \(capability)") }
        server.change { $0.isWithoutPasswords = true }
    }

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

/// A person on the page of Acme's identity provider.
struct AcmePage: IdentityPage {
    let server: AcmeServer
    let provider = IdentityProvider.google

    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? {
        let query = try Callback(page).parameters
        return try callback(of: page) + "code=" + server.consent(query["challenge"] ?? "", as: subject)
    }

    func refuse(_ page: String) async throws -> String? { try callback(of: page) + "error=access_denied" }

    private func callback(of page: String) throws -> String {
        let query = try Callback(page).parameters
        return "\(query["callback"] ?? "")?state=\(query["state"] ?? "")&"
    }
}
