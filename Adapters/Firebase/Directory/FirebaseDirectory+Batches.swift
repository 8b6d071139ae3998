internal import Lockstep
internal import LockstepDirectory
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseDirectory {
    /// Creates many users.
    ///
    /// The directory imports users who have a password hash or no password. One request contains up to 1,000 users with
    /// the same hash parameters. The directory creates users with a clear-text password in separate requests, because
    /// Firebase does not apply the password policy to imports.
    ///
    /// - Parameter users: The users.
    /// - Returns: The outcome for each user, in the order of `users`.
    public func create(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome] {
        var outcomes = await importUsers(users)
        // The remaining users have a password in clear text, and no error so far.
        let open = users.indices.filter { outcomes[$0] == nil }
        let end = outcomes.lazy.compactMap(\.self).first { $0.endsBatch }?.error
        let rest =
            if let end { open.map { _ in DirectoryOutcome.notSent(end) } } else {
                await DirectoryOutcome.all(of: open.map { users[$0] }, width: api.limiter.width, marks: \.marks) {
                    user throws(AuthError) in
                    guard case .text(let password) = user.password else { throw DirectoryErrors.incomplete("an outcome") }
                    return try await add(ImportedUser(user, id: user.id, self), password: password)
                }
            }
        for (index, outcome) in zip(open, rest) { outcomes[index] = outcome }
        return outcomes.compactMap(\.self)
    }

    /// Deletes many users, including users who are not disabled; one request contains up to 1,000 users.
    ///
    /// If a user does not exist, the outcome is the same as for a deleted user.
    ///
    /// - Parameter ids: The ids of the users.
    /// - Returns: The outcome for each user, in the order of `ids`.
    public func delete(_ ids: [String]) async -> [DirectoryOutcome] {
        var outcomes: [DirectoryOutcome] = []
        for start in stride(from: 0, to: ids.count, by: Self.most) {
            let some = ids[start..<min(start + Self.most, ids.count)]
            if let end = outcomes.first(where: { $0.endsBatch })?.error {
                outcomes += some.map { _ in .notSent(end) }
                continue
            }
            do throws(AuthError) {
                let object = try await api.call(
                    .post, "/accounts:batchDelete", body: ["localIds": .array(some.map(JSON.string)), "force": true]
                ).object
                let refusals = try Self.messages(object["errors"], of: some.count)
                outcomes += zip(0..., some).map { index, id in
                    refusals[index].map { .refused(DirectoryErrors.error(ofImport: $0)) } ?? .done(id: id)
                }
            } catch {
                outcomes += some.map { _ in DirectoryOutcome(of: error) }
            }
        }
        return outcomes
    }

    /// Looks up many users; one request contains up to 100 lookups.
    ///
    /// - Parameter requests: The users to look up.
    /// - Returns: The users, in the order of `requests`; `nil` for a user who does not exist.
    /// - Throws: `unsupported` if a request looks up an external id.
    public func users(_ requests: [RequestedUser]) async throws(AuthError) -> [DirectoryUser?] {
        var users: [DirectoryUser?] = []
        for request in requests {
            if case .externalID = request { throw noLookUp(request, of: "Firebase", instead: "use the id of the user") }
        }
        for start in stride(from: 0, to: requests.count, by: Self.mostLookedUp) {
            let some = Array(requests[start..<min(start + Self.mostLookedUp, requests.count)])
            users += try sorted(try await lookUp(try Self.query(some)), as: some)
        }
        return users
    }

    /// The members of a lookup.
    private static func query(_ requests: [RequestedUser]) throws(AuthError) -> JSONObject {
        var (ids, emails, phones, identities): ([JSON], [JSON], [JSON], [JSON]) = ([], [], [], [])
        for request in requests {
            switch request {
            // No user has an id in another format, and one such id makes Firebase reject the whole call.
            case .id(let id): if (1...128).contains(id.utf8.count) { ids.append(.string(id)) }
            case .email(let address): emails.append(.string(try EmailAddress(address).text.lowercased()))
            case .phone(let number): phones.append(.string(number))
            case .identity(let provider, let subject):
                identities.append(["providerId": .string(name(of: provider)), "rawId": .string(subject)])
            case .externalID: break
            }
        }
        let members = [("localId", ids), ("email", emails), ("phoneNumber", phones), ("federatedUserId", identities)]
        return JSONObject(members.filter { !$0.1.isEmpty }.map { ($0.0, .array($0.1)) })
    }

    /// The maximum number of lookups in one request (firebase.google.com/docs/auth/admin/manage-users).
    private static let mostLookedUp = 100

    /// Returns the number of users in the project, or in the tenant.
    ///
    /// - Returns: The number of users.
    /// - Throws: An `AuthError` of the backend.
    public func count() async throws(AuthError) -> Int { try await count(at: "/accounts:query") }

    /// Returns the number of users of the project or of a tenant.
    func count(at path: BackendPath) async throws(AuthError) -> Int {
        let object = try await api.call(.post, path, body: ["returnUserInfo": false]).object
        guard let count = object["recordsCount"].flatMap({ $0.int.map(Int.init) ?? $0.string.flatMap { Int($0) } }), count >= 0
        else { throw DirectoryErrors.incomplete("the number of users") }
        return count
    }

    /// Creates a user whose password the project's policy checks.
    ///
    /// - Returns: The id.
    func add(_ user: ImportedUser, password: Secret) async throws(AuthError) -> String {
        // The id is created here. Otherwise, a response about another user would decide which user the second request
        // changes.
        let id = user.id ?? randomness.text(28, of: Self.idAlphabet)
        var body = user.entry
        for name in user.late.names { body[name] = nil }
        body["localId"] = .string(id)
        body["password"] = .string(password.reveal())
        guard let made = try await api.call(.post, "/accounts", body: body).object["localId"]?.filled else {
            throw DirectoryErrors.incomplete("the id of the new user")
        }
        try check(answered: made, for: id)
        guard !user.late.isEmpty else { return id }
        do {
            var changes = user.late
            changes["localId"] = .string(id)
            let answer = try await api.call(.post, "/accounts:update", body: changes).object
            try check(answered: answer["localId"]?.string, for: id)
        } catch {
            throw error.after("created")
        }
        return id
    }

    /// Imports the users who have no password in clear text.
    ///
    /// - Returns: The outcome of each user; `nil` for a user with a clear-text password whom no other user in the list
    ///   excludes.
    func importUsers(_ users: [NewDirectoryUser]) async -> [DirectoryOutcome?] {
        var plan = ImportPlan()
        for user in users {
            // The id is created here, so that a user can be found by it if the response is lost.
            let isTyped = user.hasText
            let id = user.id ?? (isTyped ? nil : randomness.text(28, of: Self.idAlphabet))
            do throws(AuthError) {
                try plan.add(ImportedUser(user, id: id, self), isImported: !isTyped)
            } catch {
                plan.refuse(error)
            }
        }
        var end: AuthError?
        for call in plan.calls {
            let outcomes = if let end { call.indices.map { _ in DirectoryOutcome.notSent(end) } } else { await send(call) }
            for (index, outcome) in zip(call.indices, outcomes) { plan.outcomes[index] = outcome }
            end = end ?? outcomes.first { $0.endsBatch }?.error
        }
        return plan.outcomes
    }

    private static let idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private func send(_ call: ImportPlan.Call) async -> [DirectoryOutcome] {
        guard !Task.isCancelled else { return call.indices.map { _ in .notSent(.cancelled) } }
        // Without these two members, a user with the same id is replaced, with all ways to sign in, and the same
        // address gets a second account (cloud.google.com/identity-platform/docs/migrating-users).
        var body: JSONObject = ["allowOverwrite": false, "sanityCheck": true]
        body["users"] = .array(call.users.map { .object($0.entry) })
        for (name, value) in call.hashing { body[name] = value }
        do throws(AuthError) {
            let object = try await api.call(.post, "/accounts:batchCreate", body: body).object
            let refusals = try Self.messages(object["error"], of: call.users.count)
            return zip(0..., call.users).map { index, user in
                refusals[index].map { .refused(DirectoryErrors.error(ofImport: $0)) } ?? .done(id: user.id ?? "")
            }
        } catch {
            return call.indices.map { _ in DirectoryOutcome(of: error) }
        }
    }

    /// Returns the messages about single users, by their index in the call.
    ///
    /// - Throws: `invalidResponse` if a message belongs to no user of the call; in that case nothing is known about any
    ///   user.
    private static func messages(_ errors: JSON?, of count: Int) throws(AuthError) -> [Int: String] {
        var messages: [Int: String] = [:]
        for error in errors?.array ?? [] {
            // Google omits a number that is zero.
            let index = error["index"].map { $0.int ?? -1 } ?? 0
            guard let place = Int(exactly: index), (0..<count).contains(place) else {
                throw DirectoryErrors.incomplete("a valid user index in an error")
            }
            messages[place] = error["message"]?.string ?? ""
        }
        return messages
    }
}

/// The calls of an import.
///
/// All hashes in one call have the same parameters, and no two users in it exclude each other.
struct ImportPlan {
    struct Call {
        let hashing: JSONObject
        /// The indices of the users in the list.
        var indices: [Int] = []
        var users: [ImportedUser] = []
    }

    private(set) var calls: [Call] = []
    /// The outcome of each user in the list so far; `nil` while it is unknown.
    var outcomes: [DirectoryOutcome?] = []
    private var ids: Set<ExactString> = []
    private var emails: Set<ExactString> = []
    private var phones: Set<ExactString> = []
    private var identities: Set<[ExactString]> = []

    mutating func refuse(_ error: AuthError) { outcomes.append(.refused(error)) }

    /// Plans a user; if a call contained two equal users, Firebase would reject the whole call.
    ///
    /// - Throws: The error for the second of two equal users.
    mutating func add(_ user: ImportedUser, isImported: Bool) throws(AuthError) {
        if let id = user.id, ids.contains(id.exact) { throw DirectoryErrors.idTaken }
        if let email = user.email, emails.contains(email.exact) {
            throw AuthError(.emailAlreadyInUse, "Another user in the same list has this address.")
        }
        if let phone = user.phone, phones.contains(phone.exact) {
            throw AuthError(.phoneAlreadyInUse, "Another user in the same list has this number.")
        }
        guard identities.isDisjoint(with: user.identities) else {
            throw AuthError(.identityAlreadyInUse, "Another user in the same list has an identity of this user.")
        }
        identities.formUnion(user.identities)
        if let id = user.id { ids.insert(id.exact) }
        if let email = user.email { emails.insert(email.exact) }
        if let phone = user.phone { phones.insert(phone.exact) }
        let index = outcomes.count
        outcomes.append(nil)
        guard isImported else { return }
        let hashing = user.hashing ?? [:]
        // A user without a password can be in any call.
        let place = calls.firstIndex {
            $0.users.count < FirebaseDirectory.most && (user.hashing == nil || $0.hashing == hashing)
        }
        let call = place ?? calls.count
        if place == nil { calls.append(Call(hashing: hashing)) }
        calls[call].indices.append(index)
        calls[call].users.append(user)
    }
}

extension NewDirectoryUser {
    var hasText: Bool { if case .text = password { true } else { false } }
}
