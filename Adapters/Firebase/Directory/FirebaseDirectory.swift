@_exported public import Lockstep
@_exported public import LockstepDirectory
internal import LockstepFirebase
@_exported public import LockstepHTTP
internal import LockstepPasswords
@_exported public import LockstepPrimitives
internal import LockstepWire

/// Manages the users of a Firebase project, or of one of its tenants, as a service account: for tools and servers, never for an app.
public struct FirebaseDirectory: UserDirectory {
    let api: DirectoryAPI
    let randomness: any Randomness
    let project: String
    let tenant: String?
    private var hashing: FirebaseHashing?

    /// A directory of a project.
    ///
    /// - Parameters:
    ///   - account: The service account that acts.
    ///   - tenant: A tenant's id; `nil` for the project's own users.
    ///   - url: The address of an emulator; `nil` for Google's own servers.
    ///   - limiter: What other directories of the project share; `nil` for one of its own.
    /// - Throws: `invalidConfiguration` for a malformed address, project or tenant, and for plain http to another machine.
    public init(
        account: FirebaseServiceAccount, tenant: String? = nil, url: String? = nil,
        transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness(), limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        let tokens = AccessTokens(account, transport: transport, clock: clock, deadline: deadline)
        try self.init(
            .account(tokens), account.project, tenant, FirebaseConfiguration.address(url), transport, clock, randomness, limiter, deadline)
    }

    /// A directory of a project on an emulator, which takes the word `owner` for an administrator.
    ///
    /// - Parameter url: The emulator's address, such as `http://127.0.0.1:9099`.
    /// - Throws: `invalidConfiguration` as above.
    public init(
        url: String, project: String, tenant: String? = nil, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock(), randomness: any Randomness = SystemRandomness(),
        limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        guard let address = try FirebaseConfiguration.address(url) else {
            throw AuthError(
                .invalidConfiguration, "Google's own servers need a service account. Use FirebaseDirectory(account:transport:).")
        }
        try self.init(.emulatorsOwner, project, tenant, address, transport, clock, randomness, limiter, deadline)
    }

    private init(
        _ permission: DirectoryAPI.Permission, _ project: String, _ tenant: String?, _ url: String?,
        _ transport: some HTTPTransport, _ clock: any DeviceClock, _ randomness: any Randomness, _ limiter: RequestLimiter?, _ deadline: Duration
    ) throws(AuthError) {
        var scope: BackendPath = "/projects/\(given: project)"
        if let tenant { scope = scope + "/tenants/\(given: tenant)" }
        do {
            _ = try scope.text()
        } catch {
            throw AuthError(.invalidConfiguration, "The id of the project or tenant cannot stand in an address: copy it again.")
        }
        api = DirectoryAPI(
            url: (url.map { $0 + "/" } ?? "https://") + "identitytoolkit.googleapis.com", scope: scope, permission: permission, limiter: limiter ?? RequestLimiter(clock: clock), deadline: deadline,
            wire: JSONWire(transport))
        self.project = project
        self.tenant = tenant
        self.randomness = randomness
    }

    /// `firebase`.
    public var name: String { "firebase" }
    /// The address of the account service, and the project.
    public var backend: String { "\(api.url)#\(project)" }
    /// All but numbers without a proof, and data of the user's or the server's own: Firebase has no place for these.
    ///
    /// Identities and second factors are read, and not written yet.
    public var features: Set<DirectoryFeature> { tenant == nil ? Self.features : Self.features.union([.tenants]) }

    private static let features: Set<DirectoryFeature> = [
        .chosenIDs, .passwordHashes, .confirmation, .disabling, .phones, .photos, .anonymousUsers, .creationTimes, .signInTimes,
    ]

    /// By the ids: ``DirectoryOrder/stable``.
    public var order: DirectoryOrder { .stable }

    /// The same directory, whose lists have the hashes of passwords: asks for the parameters of the project's hashes.
    ///
    /// - Throws: `invalidKey` where the service account may not read them (`firebaseauth.configs.getHashConfig`).
    public func readingHashes() async throws(AuthError) -> FirebaseDirectory {
        let config = try await api.config(of: project)
        guard let parameters = config["signIn"]?["hashConfig"]?.object,
            let hashing = try? FirebaseHashing(parameters.adding("hashAlgorithm", parameters["algorithm"]))
        else {
            throw AuthError(
                .invalidKey,
                "Firebase does not show the parameters of the project's hashes: give the service account the permission "
                    + "firebaseauth.configs.getHashConfig.")
        }
        var copy = self
        copy.hashing = hashing
        return copy
    }

    /// A page of users in the order of their ids, at most 1,000: one who is added meanwhile moves no other.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        var query: HTTPForm = ["maxResults": String(min(max(size, 1), Self.most))]
        query.append("nextPageToken", cursor?.rawValue)
        let object = try await api.call(.get, "/accounts:batchGet", query: query).object
        let reading: HashReading = hashing.map { .parameters($0) } ?? .notRequested
        var users: [DirectoryUser] = []
        for user in object["users"]?.array ?? [] {
            users.append(try DirectoryUser(firebase: user.object ?? [:], hashes: reading))
        }
        // An emulator names a next page after a full one, though it is empty.
        let next = users.isEmpty ? nil : object["nextPageToken"]?.filled
        return DirectoryPage(users: users, next: next.map(DirectoryCursor.init))
    }

    /// How many users one call takes or gives.
    static let most = 1000

    /// A user; the identities are there, the hash of the password is in lists only.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        guard let user = try await lookUp(["localId": [.string(try Self.checked(id))]]).first else { throw Self.notFound }
        return try checked(user, as: .id(id))
    }

    /// The user of an address.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        guard let user = try await lookUp(["email": [.string(address)]]).first else { return nil }
        return try checked(user, as: .email(address))
    }

    /// Creates a user, without a message.
    ///
    /// A password given as text is checked by the project's policy; a user with a hash, or without a password, is imported in one
    /// request.
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

    /// Changes a user; another password or address ends the user's sessions.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "Firebase")
        guard changes.isPhoneConfirmed != false else {
            throw AuthError(.unsupported, "Firebase cannot keep a number that is not proven: every number signs its user in.")
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
            var claims = try await user(id: id).appMetadata
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

    /// Deletes a user for good.
    public func delete(_ id: String) async throws(AuthError) {
        _ = try await api.call(.post, "/accounts:delete", body: ["localId": .string(try Self.checked(id))])
    }

    private static let notFound = AuthError(.userNotFound, "The project has no user of this id or address.")

    /// An id as Firebase has them: 1 to 128 characters.
    ///
    /// Ids stand in bodies only, never in a path.
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

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
