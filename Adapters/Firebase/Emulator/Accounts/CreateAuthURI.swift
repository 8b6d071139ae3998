internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:createAuthUri`: how the owner of an address can sign in.
struct CreateAuthURI: Operation {
    let shape = Shape.createAuthURI
    let effort = Effort.rows

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        if body.given("providerId") != nil { throw APIError.notImplemented("Sign-in with IDP is not yet supported.") }
        let identifier = try call.require(body.given("identifier"), .missingIdentifier)
        let continueURI = try call.require(body.given("continueUri"), .missingContinueURI)
        try call.require(Formats.isEmail(identifier), .invalidIdentifier)
        try call.require(WebAddress(continueURI) != nil, .invalidContinueURI)
        let session = body.given("sessionId") ?? call.backend.newID(27)
        var answer: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(session)]
        guard !call.rules.hidesEmails else { return .object(answer) }
        let users = try call.reading { db in try db.users(emailAnywhere: Formats.canonical(identifier), in: call.space) }
        let (providers, methods) = call.rules.allowsDuplicateEmails ? passwordOnly(users) : everything(users.first)
        let isRegistered = call.rules.allowsDuplicateEmails ? users.contains { $0.email != nil } : !users.isEmpty
        answer["registered"] = .bool(isRegistered)
        answer["allProviders"] = .array(providers.map(JSON.string))
        answer["signinMethods"] = .array(methods.map(JSON.string))
        return .object(answer)
    }

    private func everything(_ user: User?) -> (providers: [String], methods: [String]) {
        var providers: [String] = []
        var methods: [String] = []
        for identity in user?.identities ?? [] where identity.providerID != ProviderID.phone {
            providers.append(identity.providerID)
            methods += identity.providerID == ProviderID.password ? passwordMethods(user) : [identity.providerID]
        }
        return (providers, methods)
    }

    private func passwordOnly(_ users: [User]) -> (providers: [String], methods: [String]) {
        let methods = passwordMethods(users.first { $0.email != nil })
        return (methods.isEmpty ? [] : [ProviderID.password], methods)
    }

    private func passwordMethods(_ user: User?) -> [String] {
        (user?.password != nil ? [ProviderID.password] : []) + (user?.signsInByLink == true ? ["emailLink"] : [])
    }
}
