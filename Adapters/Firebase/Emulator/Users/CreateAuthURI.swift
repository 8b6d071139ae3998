internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:createAuthUri`: how the owner of an address can sign in, or the page of an identity provider.
struct CreateAuthURI: Endpoint {
    let shape = Shape.createAuthURI
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        if let provider = body.given("providerId") { return try AuthorizationCodeFlow(request: request).begin(provider) }
        let identifier = try request.require(body.given("identifier"), .missingIdentifier)
        let continueURI = try request.require(body.given("continueUri"), .missingContinueURI)
        try request.require(Formats.isEmail(identifier), .invalidIdentifier)
        try request.require(WebAddress(continueURI) != nil, .invalidContinueURI)
        let session = body.given("sessionId") ?? request.newID(27)
        var response: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(session)]
        guard !request.rules.hidesEmails else { return .object(response) }
        let users = try request.db.users(emailAnywhere: Formats.canonical(identifier), in: request.scope)
        let (providers, methods) = request.rules.allowsDuplicateEmails ? passwordOnly(users) : everything(users.first)
        let isRegistered = request.rules.allowsDuplicateEmails ? users.contains { $0.email != nil } : !users.isEmpty
        response["registered"] = .bool(isRegistered)
        response["allProviders"] = .array(providers.map(JSON.string))
        response["signinMethods"] = .array(methods.map(JSON.string))
        return .object(response)
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
