internal import Lockstep
internal import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepFirebaseEmulator
internal import LockstepHTTP
internal import LockstepPrimitives

/// An administrator's hand on the emulated project: over the wire where Firebase has a call for it, in the process where not.
struct FirebaseSideDoor: SideDoor {
    private let server: EmulatorServer<FirebaseEmulator>
    private let transport = CurlTransport()

    init(_ server: EmulatorServer<FirebaseEmulator>) { self.server = server }

    func users() async throws -> [StoredUser] {
        let answer = try await call(
            .get, "projects/\(server.emulator.settings.project)/accounts:batchGet", ["maxResults": "1000"])
        return (answer["users"]?.array ?? []).compactMap { user in
            guard let id = user["localId"]?.string else { return nil }
            return StoredUser(
                id: id, email: user["email"]?.string, isEmailVerified: user["emailVerified"]?.bool ?? false,
                displayName: user["displayName"]?.string, isDisabled: user["disabled"]?.bool ?? false)
        }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        try server.emulator.admin.createUser(
            email: email, password: Secret(password), isVerified: isEmailVerified, displayName: displayName
        ).id
    }

    func rename(_ userID: String, to displayName: String) async throws {
        _ = try await call(
            .post, "projects/\(server.emulator.settings.project)/accounts:update",
            body: ["localId": .string(userID), "displayName": .string(displayName)])
    }

    func disable(_ userID: String) async throws { try server.emulator.admin.setDisabled(true, of: userID) }

    func delete(_ userID: String) async throws { try server.emulator.admin.deleteUser(userID) }

    func switchOff(_ capability: Capability) async throws {
        let methods: SignInMethods
        switch capability {
        case .password: methods = .password
        case .emailLinkSignIn: methods = .emailLink
        case .anonymous: methods = .anonymous
        case .idToken: methods = .identityProvider
        default: throw StageError("Firebase has no switch for \(capability.rawValue).")
        }
        try server.emulator.admin.change { $0.methods.remove(methods) }
    }

    func accepts(accessToken: Secret) async throws -> Bool {
        let body: JSON = ["idToken": .string(accessToken.reveal())]
        return try await ask("identitytoolkit.googleapis.com/v1/accounts:lookup", .json(body))
    }

    func accepts(refreshToken: Secret) async throws -> Bool {
        let form: HTTPForm = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        return try await ask("securetoken.googleapis.com/v1/token", .form(form))
    }

    /// What the app itself could ask.
    private func ask(_ path: String, _ body: HTTPBody) async throws -> Bool {
        let headers: HTTPHeaders = ["X-Goog-Api-Key": server.emulator.settings.apiKey]
        return try await transport.send(HTTPRequest(.post, "\(server.base)/\(path)", headers: headers, body: body)).isSuccess
    }

    private func call(_ method: HTTPMethod, _ path: String, _ query: HTTPForm = [:], body: JSON? = nil) async throws -> JSON {
        let answer = try await transport.send(
            HTTPRequest(
                method, "\(server.base)/identitytoolkit.googleapis.com/v1/\(path)", query: query,
                headers: ["Authorization": "Bearer owner"], body: body.map { .json($0) } ?? .none))
        guard answer.isSuccess else { throw StageError("The administrator's call answers \(answer.status).") }
        return try JSON.parse(answer.body)
    }
}
