@_exported public import Lockstep
@_exported public import LockstepDirectory
internal import LockstepFirebase
@_exported public import LockstepHTTP
package import LockstepPasswords
@_exported public import LockstepPrimitives
internal import LockstepWire

/// A directory that uses a service account to manage the users of a Firebase project, or of one of its tenants.
///
/// Use the directory in tools and servers, never in an app.
///
/// ```swift
/// let account = try FirebaseServiceAccount(contents: Secret(keyFile))
/// let directory = try FirebaseDirectory(account: account, transport: CurlTransport())
/// let user = try await directory.user(email: "ada@example.com")
/// ```
public struct FirebaseDirectory: UserDirectory {
    let api: DirectoryAPI
    let randomness: any Randomness
    let project: String
    let tenant: String?
    /// The parameters of the project's hashes; `nil` before ``readingHashes()``.
    package private(set) var hashing: FirebaseHashing?

    /// Creates a directory for a project.
    ///
    /// - Parameters:
    ///   - account: The service account.
    ///   - tenant: The id of a tenant; `nil` for the project's own users.
    ///   - url: The URL of an emulator. Default: Google's own servers.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock for access tokens and waiting times.
    ///   - randomness: The source of randomness for ids.
    ///   - limiter: A request limiter that all directories of the project share. Default: a separate limiter.
    ///   - deadline: The time limit of a request. Default: 30 seconds.
    /// - Throws: `invalidConfiguration` if the URL, the project or the tenant is invalid, or if the URL uses plain http
    ///   to another machine.
    public init(
        account: FirebaseServiceAccount, tenant: String? = nil, url: String? = nil,
        transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness(), limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        let tokens = AccessTokens(account, transport: transport, clock: clock, deadline: deadline)
        try self.init(
            .account(tokens), account.project, tenant, FirebaseConfiguration.address(url), transport, clock, randomness, limiter,
            deadline)
    }

    /// Creates a directory for a project on an emulator.
    ///
    /// The emulator accepts the token `owner` as an administrator's token.
    ///
    /// - Parameters:
    ///   - url: The URL of the emulator, such as `http://127.0.0.1:9099`.
    ///   - project: The project id.
    ///   - tenant: The id of a tenant; `nil` for the project's own users.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock for waiting times.
    ///   - randomness: The source of randomness for ids.
    ///   - limiter: A request limiter that all directories of the project share. Default: a separate limiter.
    ///   - deadline: The time limit of a request. Default: 30 seconds.
    /// - Throws: `invalidConfiguration` if the URL, the project or the tenant is invalid, or if the URL uses plain http
    ///   to another machine.
    public init(
        url: String, project: String, tenant: String? = nil, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness(),
        limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        guard let address = try FirebaseConfiguration.address(url) else {
            throw AuthError(
                .invalidConfiguration, "Google's servers require a service account. Use FirebaseDirectory(account:transport:).")
        }
        try self.init(.emulator("owner"), project, tenant, address, transport, clock, randomness, limiter, deadline)
    }

    /// Creates a directory for a project on an emulator whose administrator has a secret token.
    package init(url: String, project: String, owner: Secret, transport: some HTTPTransport) throws(AuthError) {
        try self.init(
            .emulator(owner), project, nil, url, transport, SystemClock(), SystemRandomness(), nil, .seconds(30))
    }

    private init(
        _ permission: DirectoryAPI.Permission, _ project: String, _ tenant: String?, _ url: String?,
        _ transport: some HTTPTransport, _ clock: any DeviceClock, _ randomness: any Randomness, _ limiter: RequestLimiter?,
        _ deadline: Duration
    ) throws(AuthError) {
        var scope: BackendPath = "/projects/\(given: project)"
        if let tenant { scope = scope + "/tenants/\(given: tenant)" }
        do {
            _ = try scope.text()
        } catch {
            throw AuthError(
                .invalidConfiguration, "The project id or tenant id cannot be part of a URL. Copy the id again from the console.")
        }
        api = DirectoryAPI(
            url: (url.map { $0 + "/" } ?? "https://") + "identitytoolkit.googleapis.com", scope: scope, permission: permission,
            limiter: limiter ?? RequestLimiter(clock: clock), deadline: deadline,
            wire: JSONWire(transport))
        self.project = project
        self.tenant = tenant
        self.randomness = randomness
    }

    /// The name `firebase`.
    public var name: String { "firebase" }
    /// The URL of the account service and the project id, which together identify the project.
    public var backend: String { "\(api.url)#\(project)" }
    /// The features of this directory.
    ///
    /// The directory does not support metadata or unverified phone numbers, because Firebase cannot store them. Firebase
    /// imports phone numbers as second factors, but no authenticator apps. A user with a password in clear text is not
    /// imported, so the directory cannot give this user identities or second factors.
    public var features: Set<DirectoryFeature> { tenant == nil ? Self.features : Self.features.union([.tenants]) }

    private static let features: Set<DirectoryFeature> = [
        .chosenIDs, .passwordHashes, .confirmation, .disabling, .phones, .photos, .identities, .phoneFactors, .anonymousUsers,
        .creationTimes, .signInTimes,
    ]

    /// The order of lists: by user id (``DirectoryOrder/stable``).
    public var order: DirectoryOrder { .stable }

    /// Returns a directory whose lists contain password hashes.
    ///
    /// The call requests the hash parameters of the project.
    ///
    /// ```swift
    /// let account = try FirebaseServiceAccount(contents: Secret(keyFile))
    /// let directory = try await FirebaseDirectory(account: account, transport: CurlTransport()).readingHashes()
    /// for try await user in directory.all() { print(user.id, user.passwordHash != nil) }
    /// ```
    ///
    /// - Returns: The directory.
    /// - Throws: `invalidKey` if the service account has no permission to read the parameters
    ///   (`firebaseauth.configs.getHashConfig`).
    public func readingHashes() async throws(AuthError) -> FirebaseDirectory {
        let config = try await api.config(of: project)
        guard let parameters = config["signIn"]?["hashConfig"]?.object,
            let hashing = try? FirebaseHashing(parameters.adding("hashAlgorithm", parameters["algorithm"]))
        else {
            throw AuthError(
                .invalidKey,
                "Firebase did not return the project's password hash parameters. Grant the service account the permission "
                    + "firebaseauth.configs.getHashConfig.")
        }
        var copy = self
        copy.hashing = hashing
        return copy
    }

    /// Returns a page of up to 1,000 users in the order of their ids.
    ///
    /// If users are added during the iteration, the iteration still returns every other user exactly once.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; `nil` for the first page.
    ///   - size: The number of users per page.
    /// - Returns: The page.
    /// - Throws: An `AuthError` of the backend.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        var query: HTTPForm = ["maxResults": String(min(max(size, 1), Self.most))]
        query.append("nextPageToken", cursor?.rawValue)
        let object = try await api.call(.get, "/accounts:batchGet", query: query).object
        let reading: HashReading = hashing.map { .parameters($0) } ?? .notRequested
        var users: [DirectoryUser] = []
        for user in object["users"]?.array ?? [] {
            users.append(try DirectoryUser(firebase: user.object ?? [:], hashes: reading))
        }
        // An emulator returns the cursor of a next page after a full page, even if the next page is empty.
        let next = users.isEmpty ? nil : object["nextPageToken"]?.filled
        return DirectoryPage(users: users, next: next.map(DirectoryCursor.init))
    }

    /// The maximum number of users in one call.
    static let most = 1000

    /// Returns the user with an id, including the user's identities.
    ///
    /// The result does not contain the password hash. Only lists contain it.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user.
    /// - Throws: `userNotFound` if the user does not exist.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = try await lookUp(["localId": [.string(try Self.checked(id))]]).first else { throw Self.notFound }
        return try checked(user, as: .id(id))
    }

    /// Returns the user with an email address.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An `AuthError` of the backend.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        guard let user = try await lookUp(["email": [.string(address)]]).first else { return nil }
        return try checked(user, as: .email(address))
    }

    /// Creates a user without sending a message.
    ///
    /// Firebase applies the project's password policy to a password in clear text. If the user has a password hash or
    /// no password, the directory imports the user.
    ///
    /// - Parameter user: The values of the new user.
    /// - Returns: The created user.
    /// - Throws: The errors of `UserDirectory.create(_:)`.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        let id: String
        if case .text(let password) = user.password {
            id = try await add(ImportedUser(user, id: user.id, self), password: password)
        } else {
            let outcome = await importUsers([user])[0]
            guard case .done(let made) = outcome else { throw outcome?.error ?? DirectoryErrors.incomplete("the new user") }
            id = made
        }
        do {
            return try await self.user(id: id)
        } catch {
            throw error.after("created")
        }
    }

    /// Changes a user; a new password or email address ends the user's sessions.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The values to change.
    /// - Returns: The changed user.
    /// - Throws: The errors of `UserDirectory.update(_:_:)`.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "Firebase")
        guard changes.isPhoneConfirmed != false else {
            throw AuthError(
                .unsupported,
                "Firebase cannot store an unverified number, because users can sign in with every number. Leave out `isPhoneConfirmed`."
            )
        }
        var body: JSONObject = ["localId": .string(try Self.checked(id))]
        body["email"] = try changes.email.map { address throws(AuthError) in .string(try EmailAddress(address).text) }
        body["emailVerified"] = changes.isEmailConfirmed.map(JSON.bool)
        body["phoneNumber"] = changes.phone.map(JSON.string)
        body["password"] = changes.password.map { .string($0.reveal()) }
        body["disableUser"] = changes.isDisabled.map(JSON.bool)
        var removed: [JSON] = []
        for (name, attribute, value) in [
            ("displayName", "DISPLAY_NAME", changes.displayName), ("photoUrl", "PHOTO_URL", changes.photoURL),
        ] {
            guard let value else { continue }
            if value.isEmpty { removed.append(.string(attribute)) } else { body[name] = .string(value) }
        }
        if !removed.isEmpty { body["deleteAttribute"] = .array(removed) }
        if !changes.appMetadata.isEmpty {
            var claims = try await self.claims(of: id)
            for (name, value) in changes.appMetadata { claims[name] = value.isNull ? JSON?.none : value }
            body["customAttributes"] = .string(try ImportedUser.claims(claims))
        }
        let answer = try await api.call(.post, "/accounts:update", body: body).object
        try check(answered: answer["localId"]?.string, for: id)
        do {
            return try await user(id: id)
        } catch {
            throw error.after("changed")
        }
    }

    /// Returns the claims of a user, which Firebase replaces as a whole.
    ///
    /// - Throws: `unsupported` if they would not be written back exactly.
    private func claims(of id: String) async throws(AuthError) -> JSONObject {
        let user = try await user(id: id)
        let text = user.fields["customAttributes"]?.filled ?? "{}"
        guard let claims = try? JSON.parse(Array(text.utf8)), claims.object != nil, !claims.hasRoundedNumber else {
            throw AuthError(
                .unsupported,
                "The user has claims that cannot be kept exactly, such as a number beyond 2^63. Nothing was changed. "
                    + "Change these claims with Firebase's own tools.")
        }
        return user.appMetadata
    }

    /// Deletes a user permanently.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: `userNotFound` if the user does not exist.
    public func delete(_ id: String) async throws(AuthError) {
        _ = try await api.call(.post, "/accounts:delete", body: ["localId": .string(try Self.checked(id))])
    }

    private static let notFound = AuthError(.userNotFound, "The project has no user with this id or address.")

    /// Checks an id: Firebase's ids have 1 to 128 characters.
    ///
    /// Ids are only in bodies, never in a path.
    private static func checked(_ id: String) throws(AuthError) -> String {
        guard (1...128).contains(id.utf8.count) else { throw notFound }
        return id
    }

    func lookUp(_ query: JSONObject) async throws(AuthError) -> [DirectoryUser] {
        guard !query.isEmpty else { return [] }
        let object = try await api.call(.post, "/accounts:lookup", body: query).object
        var users: [DirectoryUser] = []
        for user in object["users"]?.array ?? [] {
            users.append(try DirectoryUser(firebase: user.object ?? [:], hashes: .notInAnswer))
        }
        return users
    }
}

extension JSON {
    /// Whether the value contains a number that is so large that the reader may have rounded it.
    fileprivate var hasRoundedNumber: Bool {
        switch self {
        case .double(let number): abs(number) >= 0x1p63
        case .array(let elements): elements.contains(where: \.hasRoundedNumber)
        case .object(let members): members.contains { $0.value.hasRoundedNumber }
        case .null, .bool, .int, .string: false
        }
    }
}

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
