internal import LockstepPrimitives
internal import LockstepUserFields

extension ControlRoutes {
    /// The routes of users and their sessions; none if the emulator does not have such routes.
    var users: [ControlRoute] {
        guard let accounts else { return [] }
        return [
            ControlRoute(
                "GET", "/users", "Lists users, or finds users by part of an id, address, number or name.",
                query: ["query", "after", "limit"]
            ) { request in
                var listing = UserListing()
                listing.limit = try request.count("limit", upTo: 500, default: 50)
                listing.query = try request.searchText("query")
                listing.after = request.query["after"]
                let found = try accounts.users(listing)
                return .json(["users": .array(found.map(\.json)), "last": .text(found.last?.id)])
            },
            ControlRoute("POST", "/users", "Creates a user, without policy checks or verification.") { request in
                let values = try request.userValues(changing: nil)
                return .later { .json(try await accounts.make(values).json, status: 201) }
            },
            ControlRoute("GET", "/users/{id}", "Shows a user.") { request in .json(try accounts.user(of: request).json) },
            ControlRoute("PATCH", "/users/{id}", "Changes a user; values that are left out stay the same.") { request in
                let user = try accounts.user(of: request)
                let values = try request.userValues(changing: user)
                let id = user.id
                return .later {
                    try await accounts.update(id, values)
                    return .json(try accounts.controlledUser(id)?.json ?? .null)
                }
            },
            ControlRoute("DELETE", "/users/{id}", "Deletes a user with all their data.") { request in
                try accounts.deleteUser(accounts.user(of: request).id)
                return .empty()
            },
            ControlRoute("GET", "/users/{id}/sessions", "Lists the active sessions of a user.") { request in
                let sessions = try accounts.controlledSessions(of: accounts.user(of: request).id)
                return .json(["sessions": .array(sessions.map(\.json))])
            },
            ControlRoute("DELETE", "/users/{id}/sessions", "Ends all sessions of a user.") { request in
                try accounts.revokeSessions(of: accounts.user(of: request).id)
                return .empty()
            },
            ControlRoute("DELETE", "/sessions/{id}", "Ends one session.") { request in
                let id = request[placeholder: "id"]
                guard try accounts.endSession(id) else { throw ControlError(404, "There is no session \"\(id.prefix(100))\".") }
                return .empty()
            },
            ControlRoute(
                "POST", "/users/{id}/sign-in", "Opens a session for a user, and returns everything that the provider's SDK needs."
            ) {
                request in
                let values = try request.values(["secondFactor": .flag])
                let user = try accounts.user(of: request)
                guard !user.isDisabled else {
                    throw UserValueError.conflict(
                        "The user \"\(user.id)\" is disabled and cannot sign in. Enable the user first.")
                }
                let id = user.id
                let secondFactor = values.flag("secondFactor") ?? false
                return .later {
                    .json(
                        try await accounts.openSession(of: id, secondFactor: secondFactor).json,
                        status: 201)
                }
            },
        ]
    }
}

extension UserValueError {
    /// The response of a control route to this error.
    var refusal: ControlError {
        switch self {
        case .unsupported(let name): ControlError(422, "This provider cannot store \"\(name)\". Leave it out.")
        case .unavailable(let sentence): ControlError(422, sentence)
        case .conflict(let sentence): ControlError(409, sentence)
        case .taken(let name): ControlError(409, "Another user already has this \"\(name)\". Send a different one.")
        case .invalid(let name, let expected): ControlError(400, "invalid value for \"\(name)\": expected \(expected)")
        }
    }
}

extension AccountAdministrator {
    /// Returns the user in the path.
    func user(of request: EmulatorRequest) throws -> ControlledUser {
        let id = request[placeholder: "id"]
        guard let user = try controlledUser(id) else {
            throw ControlError(404, "There is no user \"\(id.prefix(100))\". GET \(ControlRoutes.prefix)/users lists them.")
        }
        return user
    }
}

extension EmulatorRequest {
    fileprivate func userValues(changing user: ControlledUser?) throws -> UserValues {
        let values = UserValues(try values(UserValues.body))
        try values.check(changing: user)
        return values
    }

    /// Returns the members of a JSON body; none if the body is empty.
    func values(_ schema: BodySchema) throws(ControlError) -> Body {
        if body.isEmpty { return Body() }
        guard let object = (try? json())?.object else { throw ControlError(400, "Send a JSON object.") }
        do throws(BodyFault) {
            return Body(try schema.read(object, BodyRules(unknown: .rejected, values: .exact, ignoresNull: true)))
        } catch {
            switch error {
            case .unknown(let name, let place):
                throw ControlError(unknown: "member", (place + [name]).joined(separator: "."), among: schema.members.map(\.name))
            case .kind(let kind, _, let place):
                throw ControlError(400, "invalid value for \"\(place.joined(separator: "."))\": expected \(kind.words)")
            }
        }
    }
}

extension BodySchema.Kind {
    /// The description of a valid value, written as the end of a sentence.
    var words: String {
        switch self {
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .flag: "true or false"
        case .object, .members, .map: "an object"
        case .list: "a list"
        case .whole, .number: "a number"
        default: "a string"
        }
    }
}
