internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:lookup`: a user by ID token; for administrators any users by id, address, number or identity.
struct Lookup: Operation {
    let shape = Shape.lookup
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let users = try call.reading { db in
            guard !call.isAdministrators else { return try find(call, &db) }
            let token = try call.require(call.body.given("idToken"), .missingIDToken)
            return [try call.holder(of: token, &db).user]
        }
        var answer: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !users.isEmpty { answer["users"] = .array(users.map { $0.json(call.view) }) }
        return .object(answer)
    }

    private func find(_ call: Call, _ db: inout SQLiteConnection) throws -> [User] {
        let body = call.body
        if body.has("initialEmail"), call.settings.mode == .emulator {
            throw APIError.notImplemented("Lookup by initialEmail is not implemented.")
        }
        var found: [User] = []
        func add(_ user: User?) {
            if let user, !found.contains(where: { $0.localID == user.localID }) { found.append(user) }
        }
        for localID in body.texts("localId") { add(try db.user(localID, in: call.space)) }
        for email in body.texts("email") { add(try db.user(email: Formats.canonical(email), in: call.space)) }
        for number in body.texts("phoneNumber") { add(try db.user(phoneNumber: number, in: call.space)) }
        for identity in body.messages("federatedUserId") {
            guard let provider = identity.given("providerId"), let rawID = identity.given("rawId") else { continue }
            add(try db.user(provider: provider, rawID: rawID, in: call.space))
        }
        for email in body.texts("initialEmail") { add(try db.user(initialEmail: Formats.canonical(email), in: call.space)) }
        return found
    }
}
