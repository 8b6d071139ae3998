internal import Lockstep
internal import LockstepContracts
internal import LockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives

/// The API for administrators of a GoTrue server, over the network.
struct GoTrueBackendAdministrator: BackendAdministrator {
    private let base: String
    private let key: Secret
    private let switchMethodOff: @Sendable (Capability) throws -> Void
    private let endAllSessions: @Sendable (String) throws -> Void
    private let addAuthenticatorApp: @Sendable (String) throws -> EnrolledFactor
    private let askForCaptcha: @Sendable () throws -> Void
    private let confirmAddress: @Sendable (String, Bool) async throws -> Void
    private let transport = CurlTransport()

    /// Creates the API of an administrator with the service-role key.
    ///
    /// The closures replace calls that GoTrue's API for administrators lacks. They run in the process of the server.
    init(
        base: String, key: Secret, switchMethodOff: @escaping @Sendable (Capability) throws -> Void,
        endSessions: @escaping @Sendable (String) throws -> Void,
        addAuthenticatorApp: @escaping @Sendable (String) throws -> EnrolledFactor,
        askForCaptcha: @escaping @Sendable () throws -> Void,
        confirmAddress: @escaping @Sendable (String, Bool) async throws -> Void
    ) {
        self.base = base
        self.key = key
        self.switchMethodOff = switchMethodOff
        endAllSessions = endSessions
        self.addAuthenticatorApp = addAuthenticatorApp
        self.askForCaptcha = askForCaptcha
        self.confirmAddress = confirmAddress
    }

    func demandCaptcha() async throws -> Secret {
        try askForCaptcha()
        return "XXXX.DUMMY.TOKEN.XXXX"
    }

    func users() async throws -> [StoredUser] {
        let response = try await call(.get, "/admin/users?per_page=1000")
        return (response["users"]?.array ?? []).compactMap { user in
            guard let id = user["id"]?.string else { return nil }
            let email = user["email"]?.string ?? ""
            return StoredUser(
                id: id, email: email.isEmpty ? nil : email, isEmailVerified: user["email_confirmed_at"] != nil,
                displayName: user["user_metadata"]?["display_name"]?.string, isDisabled: user["banned_until"] != nil)
        }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        var metadata: JSONObject = [:]
        if let displayName { metadata["display_name"] = .string(displayName) }
        let body: JSON = [
            "email": .string(email), "password": .string(password), "email_confirm": .bool(isEmailVerified),
            "user_metadata": .object(metadata),
        ]
        guard let id = try await call(.post, "/admin/users", body)["id"]?.string else {
            throw HarnessFailure("The server's response does not contain the id of the new user.")
        }
        return id
    }

    func rename(_ userID: String, to displayName: String) async throws {
        _ = try await call(.put, "/admin/users/\(userID)", ["user_metadata": ["display_name": .string(displayName)]])
    }

    /// GoTrue's API can only verify an address (`email_confirm`), so this changes the row.
    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws { try await confirmAddress(userID, isVerified) }

    func disable(_ userID: String) async throws {
        // GoTrue has no permanent ban. This ban lasts a hundred years.
        _ = try await call(.put, "/admin/users/\(userID)", ["ban_duration": "876000h"])
    }

    func delete(_ userID: String) async throws { _ = try await call(.delete, "/admin/users/\(userID)") }

    func endSessions(of userID: String) async throws { try endAllSessions(userID) }

    func setPassword(_ password: String, of userID: String) async throws {
        _ = try await call(.put, "/admin/users/\(userID)", ["password": .string(password)])
    }

    func switchOff(_ capability: Capability) async throws { try switchMethodOff(capability) }

    func create(phone: String) async throws -> String {
        guard let id = try await call(.post, "/admin/users", ["phone": .string(phone), "phone_confirm": true])["id"]?.string
        else {
            throw HarnessFailure("The server's response does not contain the id of the new user.")
        }
        return id
    }

    func ticket(for userID: String) async throws -> Secret {
        let email = try await call(.get, "/admin/users/\(userID)")["email"] ?? .null
        let link = try await call(.post, "/admin/generate_link", ["type": "magiclink", "email": email])
        guard let ticket = link["hashed_token"]?.string else { throw HarnessFailure("The server's link has no token.") }
        return Secret(ticket)
    }

    /// Returns the link of an invitation that opens the app.
    ///
    /// Its template is `{{ .RedirectTo }}?token_hash={{ .TokenHash }}&type=invite`.
    func invitation(to email: String) async throws -> String? {
        let link = try await call(
            .post, "/admin/generate_link",
            ["type": "invite", "email": .string(email), "redirect_to": .string(GoTrueHarness.callback)])
        guard let hash = link["hashed_token"]?.string, let target = link["redirect_to"]?.string else {
            throw HarnessFailure("The server's invitation has no token.")
        }
        return target + "?token_hash=" + Percent.encode(hash) + "&type=invite"
    }

    func link(with ticket: Secret) async throws -> String? {
        GoTrueHarness.callback + "?token_hash=" + Percent.encode(ticket.reveal()) + "&type=magiclink"
    }

    func addFactor(to userID: String) async throws -> EnrolledFactor { try addAuthenticatorApp(userID) }

    func accepts(accessToken: Secret) async throws -> Bool {
        let headers: HTTPHeaders = ["Authorization": "Bearer " + accessToken.reveal()]
        return try await transport.send(HTTPRequest(.get, base + "/user", headers: headers)).isSuccess
    }

    func accepts(refreshToken: Secret) async throws -> Bool {
        let body: JSON = ["refresh_token": .string(refreshToken.reveal())]
        return try await transport.send(
            HTTPRequest(.post, base + "/token?grant_type=refresh_token", body: .json(body))
        ).isSuccess
    }

    private func call(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        let response = try await transport.send(
            HTTPRequest(
                method, base + path, headers: ["Authorization": "Bearer " + key.reveal()], body: body.map { .json($0) } ?? .none))
        guard response.isSuccess else { throw HarnessFailure("The administrator's request \(path) returned \(response.status).") }
        return try JSON.parse(response.body)
    }
}
