@_exported public import Lockstep
@_exported public import LockstepDirectory
internal import LockstepGoTrue
@_exported public import LockstepHTTP
internal import LockstepPasswords
@_exported public import LockstepPrimitives
internal import LockstepWire

/// A directory that uses an administrator key to manage the users of a GoTrue server (`/admin/users`).
///
/// Use the directory in tools and servers, never in an app.
///
/// ```swift
/// let directory = try GoTrueDirectory(
///     url: "https://ref.supabase.co/auth/v1", adminKey: Secret(secretKey), transport: CurlTransport())
/// let user = try await directory.user(email: "ada@example.com")
/// ```
public struct GoTrueDirectory: UserDirectory {
    private let wire: GoTrueWire
    private let key: Secret
    private let clock: any DeviceClock
    private var showsIdentities = false
    let limiter: RequestLimiter

    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - url: The URL of the API, such as `https://ref.supabase.co/auth/v1`.
    ///   - adminKey: The service-role token, or the secret key (`sb_secret_…`) of a hosted project.
    ///   - transport: The transport that sends the requests.
    ///   - clock: The clock for waiting times.
    ///   - limiter: A request limiter that all directories of the project share. Default: a separate limiter.
    ///   - deadline: The time limit of a request. Default: 30 seconds.
    /// - Throws: `invalidConfiguration` if the URL is invalid or uses plain http to another machine, or if the key is
    ///   not an administrator key.
    public init(
        url: String, adminKey: Secret, transport: some HTTPTransport, clock: any DeviceClock = SystemClock(),
        limiter: RequestLimiter? = nil, deadline: Duration = .seconds(30)
    ) throws(AuthError) {
        let address = try GoTrueConfiguration.address(url)
        let role = CompactToken.unverifiedClaims(of: adminKey.reveal())?["role"]?.string
        guard !adminKey.isEmpty, adminKey.reveal().utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), role != "anon",
            !adminKey.reveal().hasPrefix("sb_publishable_")
        else {
            throw AuthError(
                .invalidConfiguration,
                "The key is not an administrator's key. Use the project's service-role token or secret key.")
        }
        wire = GoTrueWire(url: address.url, key: adminKey, deadline: deadline, transport: transport)
        key = adminKey
        self.clock = clock
        self.limiter = limiter ?? RequestLimiter(clock: clock)
    }

    /// The name `gotrue`.
    public var name: String { "gotrue" }
    /// The URL of the API.
    public var backend: String { wire.url }
    /// The features of this directory.
    ///
    /// The directory does not support identities, second factors, times or anonymous users, because the API cannot
    /// write them (`GoTrueDatabase` can). The directory also does not support values that the server cannot store.
    public var features: Set<DirectoryFeature> {
        [
            .chosenIDs, .passwordHashes, .confirmation, .disabling, .banEnds, .phones, .unprovenPhones, .photos, .roles,
            .userMetadata,
        ]
    }

    /// The order of a list: the newest user comes first.
    public var order: DirectoryOrder { .newestFirst }

    /// Returns a directory whose lists contain identities and second factors.
    ///
    /// The server's lists do not contain them, so each page takes one request more for each user.
    ///
    /// - Returns: The directory.
    public func readingIdentities() -> GoTrueDirectory {
        var copy = self
        copy.showsIdentities = true
        return copy
    }

    /// Returns a page of users, newest first.
    ///
    /// For each user, the list contains the names of the identity providers, but not the identities
    /// (``readingIdentities()``).
    ///
    /// If users were deleted since the previous page, a page may repeat users of the previous page. So no user is
    /// missed. ``UserDirectory/all(after:pageSize:)`` returns each user once.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; `nil` for the first page.
    ///   - size: The number of users per page.
    /// - Returns: The page.
    /// - Throws: An `AuthError` of the backend.
    public func page(after cursor: DirectoryCursor?, size: Int) async throws(AuthError) -> DirectoryPage {
        // `page`, or `page:total` with the earlier number of users.
        let parts = (cursor?.rawValue ?? "").pieces(at: ":").map { Self.count($0) }
        let number = max(parts.first.flatMap(\.self) ?? 1, 1)
        let size = min(max(size, 1), Self.largestCount)
        let response = try await list(["page": String(number), "per_page": String(size)])
        guard let users = response.object["users"]?.array else { throw GoTrueWire.incomplete("the list of users") }
        let total = response.headers["X-Total-Count"].flatMap { Self.count($0) }
        // New users come first, so they only move the others to later places. At most as many users as are missing have
        // moved to earlier places.
        let missing = if let total, parts.count == 2, let former = parts[1] { max(former - total, 0) } else { 0 }
        let isLast = missing == 0 && (users.isEmpty || total.map { number * size >= $0 } ?? (users.count < size))
        let next = missing == 0 ? number + 1 : max(number - (missing - 1) / size - 1, 1)
        var read: [DirectoryUser] = []
        for user in users { read.append(try self.read(user.object ?? [:])) }
        // A user who was deleted meanwhile is left out.
        if showsIdentities { read = try await self.users(ids: read.map(\.id)).compactMap(\.self) }
        return DirectoryPage(
            users: read, next: isLast ? nil : DirectoryCursor(rawValue: total.map { "\(next):\($0)" } ?? String(next)),
            total: total)
    }

    /// The largest number of users or pages.
    ///
    /// Products and differences of two such numbers do not overflow.
    private static let largestCount = Int(Int32.max)

    /// Returns a number of users or pages from a header of the server or from an app's cursor; `nil` if the text is not
    /// such a number.
    static func count(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(text) ?? largestCount, largestCount)
    }

    /// Returns the user with an id, including the user's identities.
    ///
    /// - Parameter id: The user's id.
    /// - Returns: The user.
    /// - Throws: `userNotFound` if the user does not exist.
    public func user(id: String) async throws(AuthError) -> DirectoryUser {
        let path = try path(id)
        return try checked(try read(try await call(.get, path).object), as: .id(id.lowercased()))
    }

    /// Returns the user with an email address.
    ///
    /// The server searches for a part of the address, and the directory selects the exact match.
    ///
    /// - Parameter email: The email address, in upper or lower case.
    /// - Returns: The user; `nil` if no user has this address.
    /// - Throws: An `AuthError` of the backend.
    public func user(email: String) async throws(AuthError) -> DirectoryUser? {
        let address = try EmailAddress(email).text.lowercased()
        var former: [JSON] = []
        // The limit protects the caller from a server that always returns full pages.
        for page in 1...1000 {
            let response = try await list(["page": String(page), "per_page": "100", "filter": address])
            guard let users = response.object["users"]?.array else { throw GoTrueWire.incomplete("the list of users") }
            if let found = users.first(where: { $0["email"]?.string == address }) { return try read(found.object ?? [:]) }
            guard users.allSatisfy({ $0.mayMatch(address) }), former.isEmpty || users != former else { throw foreignAnswer }
            guard users.count >= 100 else { return nil }
            former = users
        }
        throw GoTrueWire.incomplete("the last page of users")
    }

    /// Creates a user without sending a message.
    ///
    /// The server stores a password hash unchanged until the password changes.
    ///
    /// - Parameter user: The values of the new user.
    /// - Returns: The created user.
    /// - Throws: The errors of `UserDirectory.create(_:)`.
    public func create(_ user: NewDirectoryUser) async throws(AuthError) -> DirectoryUser {
        let id = try await add(user)
        do {
            // The response repeats the request. Only the user object contains the times and flags that the database
            // sets.
            return try await self.user(id: id)
        } catch {
            throw error.after("created")
        }
    }

    /// Creates a user, and returns the id.
    func add(_ user: NewDirectoryUser) async throws(AuthError) -> String {
        try user.check(features, of: "GoTrue")
        var body: JSONObject = ["email_confirm": .bool(user.isEmailConfirmed), "phone_confirm": .bool(user.isPhoneConfirmed)]
        body["id"] = user.id.map { .string($0) }
        body["email"] = try user.email.map { address throws(AuthError) in .string(try EmailAddress(address).text) }
        body["phone"] = user.phone.map { .string($0) }
        switch user.password {
        case .text(let password): body["password"] = .string(try Self.hashable(password).reveal())
        case .hash(let hash): body["password_hash"] = .string(try Self.checked(hash))
        case nil: break
        }
        body["user_metadata"] = .object(Self.newMetadata(of: user))
        if !user.appMetadata.isEmpty { body["app_metadata"] = .object(user.appMetadata) }
        body["role"] = user.role.map { .string($0) }
        body["aud"] = user.audience.map { .string($0) }
        body["ban_duration"] = try ban(of: user)
        if let id = user.id, Self.uuid(id) == nil {
            throw AuthError(.invalidInput, "The user id is not a UUID. GoTrue accepts only UUIDs.")
        }
        do {
            let made = try read(try await call(.post, "/admin/users", body: body).object)
            if let address = body["email"]?.string { _ = try checked(made, as: .email(address)) }
            try check(answered: made.id, for: user.id?.lowercased() ?? made.id)
            return made.id
        } catch  where error.provider?.status == 500 {
            // An id that is already used breaks a constraint of the database, and looks like any other failure. A
            // lookup of the user distinguishes them.
            guard let id = user.id, try await isThere(id) else { throw error }
            throw AuthError(.invalidInput, "Another user has this id. Nothing was overwritten.", provider: error.provider)
        }
    }

    /// Changes a user; a new password ends the user's sessions.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The values to change.
    /// - Returns: The changed user.
    /// - Throws: The errors of `UserDirectory.update(_:_:)`.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "GoTrue")
        guard changes.isEmailConfirmed != false, changes.isPhoneConfirmed != false else {
            throw AuthError(
                .unsupported,
                "GoTrue cannot mark an address or number as unverified. Leave out `isEmailConfirmed` and `isPhoneConfirmed`.")
        }
        var body: JSONObject = [:]
        body["email"] = try changes.email.map { address throws(AuthError) in .string(try EmailAddress(address).text) }
        body["phone"] = changes.phone.map { .string($0) }
        if changes.isEmailConfirmed == true { body["email_confirm"] = true }
        if changes.isPhoneConfirmed == true { body["phone_confirm"] = true }
        body["password"] = try changes.password.map { new throws(AuthError) in .string(try Self.hashable(new).reveal()) }
        let data = Self.metadata(changes.userMetadata, changes.displayName, changes.photoURL)
        if !data.isEmpty { body["user_metadata"] = .object(data) }
        if !changes.appMetadata.isEmpty { body["app_metadata"] = .object(changes.appMetadata) }
        body["ban_duration"] = changes.isDisabled.map { $0 ? Self.forever : "none" }
        let path = try path(id)
        do {
            let answer = try await call(.put, path, body: body).object
            try check(answered: answer["id"]?.string, for: id.lowercased())
        } catch  where error.provider?.status == 500 && (changes.email != nil || changes.phone != nil) {
            // An address that is already used appears here only as a broken constraint of the database.
            guard let email = changes.email, try await user(email: email) != nil else { throw error }
            throw AuthError(.emailAlreadyInUse, "Another account uses this address.", provider: error.provider)
        }
        do {
            return try await user(id: id)
        } catch {
            throw error.after("changed")
        }
    }

    /// Deletes a user permanently, together with the user's sessions, identities and second factors.
    ///
    /// - Parameter id: The user's id.
    /// - Throws: `userNotFound` if the user does not exist.
    public func delete(_ id: String) async throws(AuthError) {
        _ = try await call(.delete, try path(id))
    }

    func call(
        _ method: HTTPMethod, _ path: BackendPath, query: HTTPForm = [:], body: JSONObject? = nil
    ) async throws(AuthError) -> JSONResponse {
        do {
            return try await limiter.run { () throws(AuthError) in
                try await wire.call(method, path, query: query, body: body, as: key)
            }
        } catch {
            let key = "the service-role token or secret key of this project"
            let error = error.ofAdministrator(at: address, key: key)
            // Only the path of a user identifies a user.
            throw method == .get && !query.isEmpty || method == .post ? error.ofUnnamedUser(at: address) : error
        }
    }

    func list(_ query: HTTPForm) async throws(AuthError) -> JSONResponse {
        do {
            return try await call(.get, "/admin/users", query: query)
        } catch  where error.provider?.status == 500 {
            // One row that the server cannot read makes each list fail (https://github.com/supabase/auth/issues/1940).
            var error = error
            error.message += " If this stays so, a row of auth.users may have NULL where the server requires a value."
            throw error
        }
    }

    /// GoTrue has no permanent ban; this is a hundred years.
    private static let forever: JSON = "876000h"

    /// Returns the time from now to the end of a new user's ban, in milliseconds, because the server adds it to its own
    /// time.
    private func ban(of user: NewDirectoryUser) throws(AuthError) -> JSON? {
        guard let end = user.bannedUntil else { return user.isDisabled ? Self.forever : nil }
        let now = clock.now
        guard end > now else {
            throw AuthError(.invalidInput, "`bannedUntil` is in the past. No request was sent. Leave it out.")
        }
        try Self.check(banEnd: end, now: now)
        return .string("\(end.milliseconds - now.milliseconds)ms")
    }

    /// Returns whether the user exists, as far as the server reports it.
    private func isThere(_ id: String) async throws(AuthError) -> Bool {
        do {
            _ = try await user(id: id)
            return true
        } catch {
            return false
        }
    }

    private func path(_ id: String) throws(AuthError) -> BackendPath {
        guard let id = Self.uuid(id) else {
            throw AuthError(.userNotFound, "The user id is not a UUID. GoTrue accepts only UUIDs.")
        }
        return "/admin/users/\(given: id)"
    }

    private func read(_ object: JSONObject) throws(AuthError) -> DirectoryUser {
        try DirectoryUser(goTrue: object, now: clock.now)
    }
}

/// Values that are the same for a user of GoTrue in responses and in rows.
extension GoTrueDirectory {
    /// Returns a hash that GoTrue can verify.
    ///
    /// For any other hash, GoTrue's API would only report a server error.
    ///
    /// - Throws: `invalidInput`
    package static func checked(_ hash: Secret) throws(AuthError) -> String {
        do {
            _ = try PasswordHash(goTrue: hash.reveal())
        } catch {
            throw AuthError(
                .invalidInput, "GoTrue does not accept this password hash. \(error.message) Let the user set a new password.")
        }
        return hash.reveal()
    }

    /// Rejects the end time of a ban if the server would read it as no ban.
    ///
    /// - Parameters:
    ///   - end: The end.
    ///   - now: The current time.
    /// - Throws: `invalidInput`.
    package static func check(banEnd end: Instant?, now: Instant) throws(AuthError) {
        guard let end, end >= now + longestBan else { return }
        throw AuthError(
            .invalidInput,
            "`bannedUntil` is more than fifty years away, so GoTrue would treat the ban as permanent. No request was sent. "
                + "Leave it out, and disable the user.")
    }

    /// Fifty years.
    ///
    /// A later end means a ban without an end, which the server does not have.
    package static let longestBan = Duration.seconds(50 * 365 * 86_400)

    /// Returns the id in lower case, as the server writes it; `nil` if it is not a UUID, or if it consists of zeros,
    /// which no user has.
    package static func uuid(_ id: String) -> String? {
        let isUUID =
            id.utf8.count == 36
            && id.utf8.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
            }
        return isUUID && id.contains { $0 != "0" && $0 != "-" } ? id.lowercased() : nil
    }

    /// The user's own data with the name and the photo, for which the server has no separate fields.
    package static func metadata(_ members: JSONObject, _ name: String?, _ photo: String?) -> JSONObject {
        var members = members
        if let name { members["display_name"] = name.isEmpty ? .null : .string(name) }
        if let photo { members["avatar_url"] = photo.isEmpty ? .null : .string(photo) }
        return members
    }
}
