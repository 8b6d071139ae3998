internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:lookup`: a user by ID token; for administrators any users by id, address, number or identity.
struct Lookup: Endpoint {
    let shape = Shape.lookup
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let users = try request.isAdministrators ? find(request) : [own(request)]
        var response: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !users.isEmpty { response["users"] = .array(users.map { $0.json(request.view) }) }
        return .object(response)
    }

    private func own(_ request: AuthorizedRequest) throws -> User {
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        return try request.tokens.holder(of: token).user
    }

    private func find(_ request: AuthorizedRequest) throws -> [User] {
        let body = request.body
        if body.has("initialEmail"), request.settings.mode == .emulator {
            throw APIError.notImplemented("Lookup by initialEmail is not implemented.")
        }
        var found: [User] = []
        func add(_ user: User?) {
            if let user, !found.contains(where: { $0.localID == user.localID }) { found.append(user) }
        }
        for localID in body.texts("localId") { add(try request.db.user(localID, in: request.scope)) }
        for email in body.texts("email") { add(try request.db.user(email: Formats.canonical(email), in: request.scope)) }
        for number in body.texts("phoneNumber") { add(try request.db.user(phoneNumber: number, in: request.scope)) }
        for identity in body.messages("federatedUserId") {
            guard let provider = identity.given("providerId"), let rawID = identity.given("rawId") else { continue }
            add(try request.db.user(provider: provider, rawID: rawID, in: request.scope))
        }
        for email in body.texts("initialEmail") {
            add(try request.db.user(initialEmail: Formats.canonical(email), in: request.scope))
        }
        return found
    }
}
