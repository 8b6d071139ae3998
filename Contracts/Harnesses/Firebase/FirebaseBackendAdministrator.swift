internal import Lockstep
internal import LockstepContracts
internal import LockstepCurl
internal import LockstepHTTP
internal import LockstepPrimitives

/// The API for administrators of a Firebase server, over the network.
struct FirebaseBackendAdministrator: BackendAdministrator {
    /// The URL of the server.
    let base: String
    /// The id of the project.
    let project: String
    /// Turns off a sign-in method; `nil` if the server does not support that.
    var switchMethodOff: (@Sendable (Capability) throws -> Void)?
    /// Makes the project require a captcha, and returns a valid token; `nil` if the server does not support captchas.
    var askForCaptcha: (@Sendable () throws -> Secret)?
    /// The users of this environment.
    ///
    /// It is `nil` if only this environment uses the project. Then all users are listed.
    private let own: OwnUsers?
    /// Signs a ticket like the servers of the project.
    private let makeTicket: @Sendable (String) throws -> String
    private let transport: any HTTPTransport

    init(
        base: String, project: String, users: OwnUsers? = nil, transport: any HTTPTransport = CurlTransport(),
        makeTicket: @escaping @Sendable (String) throws -> String,
        switchMethodOff: (@Sendable (Capability) throws -> Void)? = nil
    ) {
        self.base = base
        self.project = project
        own = users
        self.makeTicket = makeTicket
        self.transport = transport
        self.switchMethodOff = switchMethodOff
    }

    func demandCaptcha() async throws -> Secret {
        guard let askForCaptcha else { throw EnvironmentError("this server does not require a captcha") }
        return try askForCaptcha()
    }

    func users() async throws -> [StoredUser] {
        var users: [JSON] = []
        var page: String?
        repeat {
            var query: HTTPForm = ["maxResults": "1000"]
            if let page { query.append("nextPageToken", page) }
            let response = try await call(.get, "accounts:batchGet", query)
            users += response["users"]?.array ?? []
            // The last page of Firebase's own emulator also names a next page, which is empty.
            page = response["users"]?.array?.isEmpty == false ? response["nextPageToken"]?.string : nil
        } while page?.isEmpty == false
        return users.compactMap { user in
            guard let id = user["localId"]?.string, own?.isFormer(id) != true else { return nil }
            return StoredUser(
                id: id, email: user["email"]?.string, isEmailVerified: user["emailVerified"]?.bool ?? false,
                displayName: user["displayName"]?.string, isDisabled: user["disabled"]?.bool ?? false)
        }
    }

    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String {
        var body: JSONObject = [
            "email": .string(email), "password": .string(password), "emailVerified": .bool(isEmailVerified),
        ]
        if let displayName { body["displayName"] = .string(displayName) }
        guard let id = try await call(.post, "accounts", body: .object(body))["localId"]?.string else {
            throw HarnessFailure("The server's response does not contain the id of the new user.")
        }
        return id
    }

    func rename(_ userID: String, to displayName: String) async throws {
        _ = try await call(.post, "accounts:update", body: ["localId": .string(userID), "displayName": .string(displayName)])
    }

    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        _ = try await call(.post, "accounts:update", body: ["localId": .string(userID), "emailVerified": .bool(isVerified)])
    }

    func disable(_ userID: String) async throws {
        _ = try await call(.post, "accounts:update", body: ["localId": .string(userID), "disableUser": true])
    }

    func delete(_ userID: String) async throws {
        _ = try await call(.post, "accounts:delete", body: ["localId": .string(userID)])
    }

    /// Deletes users, including disabled ones.
    func delete(_ userIDs: [String]) async throws {
        for start in stride(from: 0, to: userIDs.count, by: 1000) {
            let some = userIDs[start..<min(start + 1000, userIDs.count)]
            _ = try await call(
                .post, "accounts:batchDelete", body: ["localIds": .array(some.map { .string($0) }), "force": true])
        }
    }

    func endSessions(of userID: String) async throws {
        // The server compares this time with its own clock. The device's clock may differ.
        let response = try await transport.send(HTTPRequest(.get, base))
        guard let date = response.headers["Date"].flatMap({ Instant(httpDate: $0) }) else {
            throw HarnessFailure("The server's response does not contain its time.")
        }
        _ = try await call(
            .post, "accounts:update", body: ["localId": .string(userID), "validSince": .string(String(date.seconds))])
    }

    func setPassword(_ password: String, of userID: String) async throws {
        _ = try await call(.post, "accounts:update", body: ["localId": .string(userID), "password": .string(password)])
    }

    func switchOff(_ capability: Capability) async throws {
        guard let switchMethodOff else { throw EnvironmentError("This server has no settings for sign-in methods.") }
        try switchMethodOff(capability)
    }

    func create(phone: String) async throws -> String {
        guard let id = try await call(.post, "accounts", body: ["phoneNumber": .string(phone)])["localId"]?.string else {
            throw HarnessFailure("The server's response does not contain the id of the new user.")
        }
        return id
    }

    func ticket(for userID: String) async throws -> Secret { Secret(try makeTicket(userID)) }

    /// Returns the claims of a custom token (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
    static func ticket(for userID: String, at now: Instant) -> JSONObject {
        let account: JSON = "server@demo-lockstep.iam.gserviceaccount.com"
        return [
            "iss": account, "sub": account, "uid": .string(userID), "iat": .int(now.seconds), "exp": .int(now.seconds + 3600),
            "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        ]
    }

    /// Adds a phone, because the administrator's API does not support other second factors.
    ///
    /// A user without an address cannot have a second factor: Firebase requires the address first.
    func addFactor(to userID: String) async throws -> EnrolledFactor {
        let found = try await call(.post, "accounts:lookup", body: ["localId": [.string(userID)]])
        guard found["users"]?[0]?["email"]?.string != nil else {
            throw EnvironmentError("Firebase users without an address cannot have a second factor")
        }
        let phone = "+15555550\(100 + (userID.utf8.reduce(0) { $0 + Int($1) } % 100))"
        let enrolment: JSON = [
            "mfaEnrollmentId": "phone-1", "displayName": "phone", "phoneInfo": .string(phone),
            "enrolledAt": "2026-01-01T00:00:00Z",
        ]
        _ = try await call(
            .post, "accounts:update", body: ["localId": .string(userID), "mfa": ["enrollments": [enrolment]]])
        return EnrolledFactor(.phone, phone: phone)
    }

    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor { try await addFactor(to: userID) }

    func accepts(accessToken: Secret) async throws -> Bool {
        try await ask("identitytoolkit.googleapis.com/v1/accounts:lookup", .json(["idToken": .string(accessToken.reveal())]))
    }

    func accepts(refreshToken: Secret) async throws -> Bool {
        let form: HTTPForm = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
        return try await ask("securetoken.googleapis.com/v1/token", .form(form))
    }

    /// Sends a request that the app itself could send, and returns whether it succeeds.
    private func ask(_ path: String, _ body: HTTPBody) async throws -> Bool {
        try await transport.send(
            HTTPRequest(.post, "\(base)/\(path)", headers: ["X-Goog-Api-Key": "fake-api-key"], body: body)
        ).isSuccess
    }

    private func call(_ method: HTTPMethod, _ path: String, _ query: HTTPForm = [:], body: JSON? = nil) async throws -> JSON {
        let response = try await transport.send(
            HTTPRequest(
                method, "\(base)/identitytoolkit.googleapis.com/v1/projects/\(project)/\(path)", query: query,
                headers: ["Authorization": "Bearer owner"], body: body.map { .json($0) } ?? .none))
        guard response.status != 501 else { throw EnvironmentError("The server has no administrator's request \(path).") }
        guard response.isSuccess else { throw HarnessFailure("The administrator's request \(path) returned \(response.status).") }
        return try JSON.parse(response.body)
    }
}
