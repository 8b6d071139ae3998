internal import Lockstep
internal import LockstepClerkEmulator
internal import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepEmulatorTestSupport
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens

/// The API for administrators of the emulated instance.
///
/// It checks tokens over the network, and makes other changes directly in the process.
struct ClerkBackendAdministrator: BackendAdministrator {
    private let server: EmulatorServer<ClerkEmulator>
    private let transport = CurlTransport()

    init(_ server: EmulatorServer<ClerkEmulator>) { self.server = server }

    private var admin: ClerkAdministrator { server.emulator.admin }

    func users() async throws -> [StoredUser] {
        try admin.users().map { account in
            StoredUser(
                id: account.id, email: account.email, isEmailVerified: account.isEmailVerified,
                displayName: account.displayName, isDisabled: account.isBanned)
        }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        let (first, last) = Self.names(displayName)
        return try await admin.createUser(
            email: email, password: Secret(password), isVerified: isEmailVerified, firstName: first, lastName: last
        ).id
    }

    func rename(_ userID: String, to displayName: String) async throws {
        let (first, last) = Self.names(displayName)
        try admin.rename(userID, firstName: first, lastName: last)
    }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        var values = UserValues()
        values.isEmailConfirmed = isVerified
        try await admin.update(userID, values)
    }

    func disable(_ userID: String) async throws { try await admin.setDisabled(true, of: userID) }

    func delete(_ userID: String) async throws { try admin.deleteUser(userID) }

    func endSessions(of userID: String) async throws { try admin.revokeSessions(of: userID) }

    func setPassword(_ password: String, of userID: String) async throws {
        try await admin.setPassword(Secret(password), of: userID)
    }

    func switchOff(_ capability: Capability) async throws {
        switch capability {
        case .password: admin.change { $0.signsInByPassword = false }
        case .emailLinkSignIn: admin.change { $0.emailSignIn.remove(.link) }
        case .emailCodeSignIn: admin.change { $0.emailSignIn.remove(.code) }
        case .phoneCode: admin.change { $0.signsInByPhoneCode = false }
        case .idToken:
            admin.change { settings in for place in settings.providers.indices { settings.providers[place].allowsTokens = false }
            }
        case .accountDeletion: admin.change { $0.allowsDeletingSelf = false }
        default: throw EnvironmentError("Clerk has no switch for \(capability.rawValue).")
        }
    }

    func create(phone: String) async throws -> String {
        admin.change { settings in
            settings.phoneNumber = .optional
            settings.signsInByPhoneCode = true
        }
        return try await backend(.post, "/users", ["phone_number": [.string(phone)], "skip_password_requirement": true])
    }

    func ticket(for userID: String) async throws -> Secret { try admin.signInTicket(for: userID) }

    /// Invites a person, and follows the link of the invitation in a browser until the app opens.
    func invitation(to email: String) async throws -> String? {
        let callback = "https://app.example.com/callback"
        let answer = try await transport.send(
            HTTPRequest(
                .post, server.base + "/v1/invitations",
                headers: ["Authorization": "Bearer " + server.emulator.secretKey.reveal()],
                body: .json(["email_address": .string(email), "redirect_url": .string(callback), "notify": false])))
        guard answer.isSuccess, let url = try JSON.parse(answer.body)["url"]?.string else {
            throw HarnessFailure("The request to invite a person returned \(answer.status).")
        }
        return try await LinkBrowser(callbacks: [try CallbackAddress(callback)]).follow(url)
    }

    func link(with ticket: Secret) async throws -> String? {
        "https://app.example.com/callback?__clerk_ticket=" + Percent.encode(ticket.reveal()) + "&__clerk_status=sign_in"
    }

    func addFactor(to userID: String) async throws -> EnrolledFactor {
        let randomness = SystemRandomness()
        let key = randomness.text(32, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let codes = (0..<2).map { _ in randomness.text(8, of: "abcdefghjkmnpqrstuvwxyz23456789") }
        _ = try await backend(
            .patch, "/users/\(userID)", ["totp_secret": .string(key), "backup_codes": .array(codes.map { .string($0) })])
        let clock = server.panel.clock
        return EnrolledFactor(.authenticatorApp, backupCodes: codes.map { Secret($0) }) {
            Secret(AuthenticatorApp(secret: key).code(at: clock.now))
        }
    }

    func demandCaptcha() async throws -> Secret {
        admin.change { $0.asksForCaptcha = true }
        return "XXXX.DUMMY.TOKEN.XXXX"
    }

    func createOrganization(named name: String, members: [String]) async throws -> String {
        let id = try await backend(.post, "/organizations", ["name": .string(name)])
        for member in members {
            _ = try await backend(
                .post, "/organizations/\(id)/memberships", ["user_id": .string(member), "role": "org:member"])
        }
        return id
    }

    func allowPhones() async throws -> Bool {
        admin.change { $0.phoneNumber = .optional }
        return true
    }

    /// Adds a phone number that is reserved for the second factor, and an authenticator app.
    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor {
        admin.change { $0.phoneNumber = .optional }
        let app = try await addFactor(to: userID)
        let phone = "+1555555\(1000 + (userID.utf8.reduce(0) { $0 + Int($1) } % 9000))"
        _ = try await backend(
            .post, "/phone_numbers",
            ["user_id": .string(userID), "phone_number": .string(phone), "verified": true, "reserved_for_second_factor": true])
        return EnrolledFactor(.phone, phone: phone, backupCodes: app.backupCodes)
    }

    func demandNewPassword(of userID: String) async throws { try admin.requireNewPassword(userID) }

    func demand(_ field: MissingFieldsStep.Field) async throws {
        switch field {
        case .firstName: admin.change { $0.firstName = .required }
        case .lastName: admin.change { $0.lastName = .required }
        case .username: admin.change { $0.username = .required }
        default: throw EnvironmentError("Clerk cannot require the field \(field.rawValue).")
        }
    }

    /// Sends a request of the app's server.
    ///
    /// - Returns: The id in the response.
    private func backend(_ method: HTTPMethod, _ path: String, _ body: JSON) async throws -> String {
        let answer = try await transport.send(
            HTTPRequest(
                method, server.base + "/v1" + path,
                headers: ["Authorization": "Bearer " + server.emulator.secretKey.reveal()], body: .json(body)))
        guard answer.isSuccess, let id = try JSON.parse(answer.body)["id"]?.string else {
            throw HarnessFailure("The administrator's request \(path) returned \(answer.status).")
        }
        return id
    }

    /// Verifies a token like an app's server: with the published keys.
    ///
    /// No endpoint of Clerk accepts session tokens.
    func accepts(accessToken: Secret) async throws -> Bool {
        let answer = try await transport.send(HTTPRequest(.get, "\(server.base)/.well-known/jwks.json"))
        let keys = try JSONWebKeySet(try JSON.parse(answer.body)).verificationKeys
        let rules = TokenRules(issuers: [server.base], audiences: .notInTokens, requiredClaims: ["sid", "sub"])
        let verifier = TokenVerifier(keys: keys, rules: rules)
        return (try? verifier.verify(accessToken.reveal(), at: server.panel.clock.now)) != nil
    }

    /// Returns whether a client token is valid, which means that its client has a session.
    ///
    /// It requests that session, and then a token for the session.
    func accepts(refreshToken: Secret) async throws -> Bool {
        let client = try await ask(.get, "/v1/client", refreshToken)
        guard client.isSuccess, let session = try JSON.parse(client.body)["response"]?["last_active_session_id"]?.string else {
            return false
        }
        return try await ask(.post, "/v1/client/sessions/\(session)/tokens", refreshToken).isSuccess
    }

    private func ask(_ method: HTTPMethod, _ path: String, _ client: Secret) async throws -> HTTPResponse {
        try await transport.send(
            HTTPRequest(
                method, server.base + path, query: ["_is_native": "true"], headers: ["Authorization": client.reveal()],
                body: method == .get ? .none : .form([:])))
    }

    /// Splits a name for Clerk, which stores two names.
    ///
    /// The last word is the last name.
    private static func names(_ name: String?) -> (first: String?, last: String?) {
        guard let name else { return (nil, nil) }
        let words = name.split(separator: " ")
        guard words.count > 1, let last = words.last else { return (name, nil) }
        return (words.dropLast().joined(separator: " "), String(last))
    }
}
