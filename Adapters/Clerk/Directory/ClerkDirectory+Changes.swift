internal import Lockstep
internal import LockstepClerk
internal import LockstepDirectory
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

extension ClerkDirectory {
    /// Changes a user, and ends the user's sessions if the password changes.
    ///
    /// The directory sends one request for each kind of change. If one of them fails, ``Lockstep/AuthError/completed``
    /// lists the changes that were made.
    ///
    /// - Parameters:
    ///   - id: The user's id.
    ///   - changes: The values to change.
    /// - Returns: The changed user.
    /// - Throws: The errors of `UserDirectory.update(_:_:)`.
    public func update(_ id: String, _ changes: DirectoryChanges) async throws(AuthError) -> DirectoryUser {
        try changes.check(features, of: "Clerk")
        guard changes.isPhoneConfirmed != false else {
            throw AuthError(
                .unsupported,
                "Clerk cannot store an unverified number, because users can sign in with every number. Leave out `isPhoneConfirmed`."
            )
        }
        let user = try await user(id: id)
        var steps: [Step] = []
        for part in requests(for: changes) { steps.append(try step(part, of: user)) }
        var done: [String] = []
        do throws(AuthError) {
            for step in steps where !step.requests.isEmpty {
                for request in step.requests {
                    let answer = try await call(request.method, request.path, body: request.body).object
                    if answer["object"] == "user" { try check(answered: answer["id"]?.string, for: id) }
                }
                done.append(step.name)
            }
            return try await self.user(id: id)
        } catch {
            var error = error
            error.completed = done + error.completed
            throw error
        }
    }

    private typealias Step = (name: String, requests: [Request])

    private struct Request {
        let method: HTTPMethod
        let path: BackendPath
        let body: JSONObject?

        init(_ method: HTTPMethod, _ path: BackendPath, _ body: JSONObject?) {
            self.method = method
            self.path = path
            self.body = body
        }
    }

    /// Returns the requests of one of the parts of a change.
    private func step(_ part: DirectoryChanges, of user: DirectoryUser) throws(AuthError) -> Step {
        let path = try path(user.id)
        if let isDisabled = part.isDisabled {
            return ("ban", [Request(.post, isDisabled ? path + "/ban" : path + "/unban", [:])])
        }
        if part.email != nil || part.isEmailConfirmed != nil {
            let email = try part.email.map { address throws(AuthError) in try EmailAddress(address).text }
            return ("address", try address(of: user, email, part.isEmailConfirmed))
        }
        if let phone = part.phone { return ("number", number(of: user, phone)) }
        if let body = metadata(part, of: user) { return ("metadata", [Request(.patch, path + "/metadata", body)]) }
        return ("profile", profile(part).map { [Request(.patch, path, $0)] } ?? [])
    }

    private func profile(_ changes: DirectoryChanges) -> JSONObject? {
        var body = JSONObject()
        for (name, value) in PersonName.members(changes.displayName) { body[name] = value }
        body["first_name"] = changes.firstName.map(JSON.string) ?? body["first_name"]
        body["last_name"] = changes.lastName.map(JSON.string) ?? body["last_name"]
        body["username"] = changes.username.map(JSON.string)
        if let password = changes.password {
            body["password"] = .string(password.reveal())
            body["sign_out_of_other_sessions"] = true
        }
        return body.isEmpty ? nil : body
    }

    /// The server merges these values at every depth; `null` removes a member.
    private func metadata(_ changes: DirectoryChanges, of user: DirectoryUser) -> JSONObject? {
        var body = JSONObject()
        for (name, data, former) in [
            ("public_metadata", changes.appMetadata, user.appMetadata),
            ("private_metadata", changes.privateMetadata, user.privateMetadata),
            ("unsafe_metadata", changes.userMetadata, user.userMetadata),
        ] where !data.isEmpty {
            body[name] = .object(JSONObject(data.map { ($0.name, $0.value.replacing(former[$0.name])) }))
        }
        return body.isEmpty ? nil : body
    }

    /// Returns the requests that change the first address, or whether it is verified.
    ///
    /// One call replaces all addresses of a user. A user with several addresses keeps the others, so a new address must
    /// be a verified one.
    private func address(
        of user: DirectoryUser, _ email: String?, _ isConfirmed: Bool?
    ) throws(AuthError) -> [Request] {
        let addresses = user.fields["email_addresses"]?.array ?? []
        let first = addresses.first { $0["id"] == user.fields["primary_email_address_id"] } ?? addresses.first
        guard let text = email ?? first?["email_address"]?.string else {
            throw AuthError(
                .invalidInput, "The user has no email address to mark as verified or unverified. Set `email` in the same call.")
        }
        guard addresses.count > 1 else {
            let status: JSON = isConfirmed ?? (email == nil) ? "verified" : "reserved"
            return [
                Request(
                    .put, try path(user.id) + "/email_address", ["email_address": .string(text), "identification_status": status])
            ]
        }
        guard isConfirmed == true else {
            throw AuthError(
                .unsupported,
                "Clerk cannot store an unverified address if the user has several addresses. Set `isEmailConfirmed` to true.")
        }
        guard let old = first?["id"]?.string else { throw DirectoryErrors.incomplete("the id of the user's address") }
        guard let email else { return [Request(.patch, "/email_addresses/\(old)", ["verified": true])] }
        return [
            Request(
                .post, "/email_addresses",
                ["user_id": .string(user.id), "email_address": .string(email), "verified": true, "primary": true]),
            Request(.delete, "/email_addresses/\(old)", nil),
        ]
    }

    /// Returns the requests that replace the number with which the user signs in.
    ///
    /// The first number of a user can be a second factor, which stays.
    private func number(of user: DirectoryUser, _ phone: String) -> [Request] {
        let numbers = (user.fields["phone_numbers"]?.array ?? []).filter { $0["reserved_for_second_factor"]?.bool != true }
        let old = user.phone.flatMap { own in numbers.first { $0["phone_number"]?.string?.exact == own.exact } }?["id"]?.string
        let new = Request(
            .post, "/phone_numbers",
            ["user_id": .string(user.id), "phone_number": .string(phone), "verified": true, "primary": true])
        return [new] + (old.map { [Request(.delete, "/phone_numbers/\($0)", nil)] } ?? [])
    }
}

extension ClerkDirectory {
    /// Sets the password of a user to the password of a hash.
    ///
    /// The user stays signed in.
    ///
    /// - Parameters:
    ///   - hash: The hash, in the format of `NewDirectoryUser.Password.hash(_:)`.
    ///   - id: The user's id.
    /// - Throws: `userNotFound`; `invalidInput` if Clerk does not support the hash.
    public func setPasswordHash(_ hash: Secret, of id: String) async throws(AuthError) {
        try await patch(id, try NewDirectoryUser.members(ofHash: hash))
    }

    /// Sets whether a user can sign in on a new device without a code.
    ///
    /// - Parameters:
    ///   - bypasses: Whether the user needs no code.
    ///   - id: The user's id.
    /// - Throws: `userNotFound` if the user does not exist.
    public func setClientTrustBypass(_ bypasses: Bool, of id: String) async throws(AuthError) {
        try await patch(id, ["bypass_client_trust": .bool(bypasses)])
    }

    private func patch(_ id: String, _ body: JSONObject) async throws(AuthError) {
        let answer = try await call(.patch, try path(id), body: body).object
        try check(answered: answer["id"]?.string, for: id)
    }
}

extension JSON {
    /// The value with `null` for each member of an object that replaces a former object.
    fileprivate func replacing(_ former: JSON?) -> JSON {
        guard let members = object, let former = former?.object else { return self }
        var all = JSONObject(members.map { ($0.name, $0.value.replacing(former[$0.name])) })
        for name in former.names where members[name] == nil { all[name] = .null }
        return .object(all)
    }
}
