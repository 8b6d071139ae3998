internal import LockstepEmulation
internal import LockstepPrimitives

/// Calls the project's blocking functions: before an account is created, and before a sign-in gets its tokens.
///
/// Anonymous users, custom tokens and administrators do not trigger them, and linking another identity triggers
/// `beforeSignIn` again (https://firebase.google.com/docs/auth/extend-with-blocking-functions). A tenant has the
/// functions of its project.
struct BlockingFunctions {
    let context: RequestContext

    /// The trigger's name in the configuration and in the token.
    enum Event: String, CaseIterable {
        case beforeCreate, beforeSignIn
    }

    /// The values of the sign-in that a function gets in addition to the account.
    struct SignIn {
        /// `sign_in_method`: `password`, `emailLink`, `phone`, or the identity provider.
        let method: String
        /// `phone` or `totp`.
        var secondFactor: String?
        /// The account at the identity provider.
        var profile: Profile?
        var idToken: String?
        var accessToken: String?
    }

    /// Calls `beforeCreate` with an account that is not stored yet, and applies its changes.
    func beforeCreate(_ user: inout User, _ signIn: SignIn) throws {
        guard let address = context.rules.functions.addresses[.beforeCreate] else { return }
        try FunctionAnswer(try call(.beforeCreate, address, user, signIn), to: .beforeCreate, context).apply(to: &user)
    }

    /// Calls `beforeSignIn`, and applies its changes.
    ///
    /// The changes of a stored account are stored here. A new account is stored by the caller. If the sign-in is
    /// rejected, a new account is stored here, because `beforeCreate` has allowed it.
    ///
    /// - Parameters:
    ///   - isNew: Whether the account is new.
    ///   - identities: The identities that the sign-in links. They are stored with the function's changes if the
    ///     function has disabled the
    ///     account.
    /// - Returns: The claims for the session's tokens.
    /// - Throws: The function's error; `USER_DISABLED` if a function has disabled the account.
    func beforeSignIn(
        _ user: inout User, _ signIn: SignIn, isNew: Bool, adding identities: [Identity] = []
    ) throws -> JSONObject {
        if user.isDisabled == true {
            // The caller rejects a disabled account that is already stored.
            guard isNew else { return [:] }
            try context.users.create(user)
            throw APIError.refused(.userDisabled).keepingChanges
        }
        guard let address = context.rules.functions.addresses[.beforeSignIn] else { return [:] }
        let claims: JSONObject
        let asked = user
        do {
            let answer = try FunctionAnswer(try call(.beforeSignIn, address, user, signIn), to: .beforeSignIn, context)
            claims = try answer.sessionClaims()
            try answer.apply(to: &user)
        } catch let refusal as APIError {
            guard isNew else { throw refusal }
            try context.users.create(asked)
            throw refusal.keepingChanges
        }
        if isNew, user.isDisabled == true {
            try context.users.create(user, asMade: asked)
        } else if !isNew, user != asked {
            user.settleIdentities(adding: identities)
            try context.users.update(user)
        }
        if user.isDisabled == true { throw APIError.refused(.userDisabled).keepingChanges }
        return claims
    }

    /// Calls a function once for a request: later runs of the handler reuse its response.
    private func call(_ event: Event, _ address: String, _ user: User, _ signIn: SignIn) throws -> OutgoingResponse {
        let id = context.newToken("event id", bytes: 12)
        // If another request changes rows meanwhile, the function must not be called a second time.
        let token = try context.stableText("blocking function \(event.rawValue)") {
            let content = FunctionToken(context: context, event: event, address: address, id: id, user: user, signIn: signIn)
            return try context.tokens.sign(content.claims)
        }
        let call = OutgoingRequest(
            "POST", address, headers: ["Content-Type": "application/json", "Accept-Encoding": "identity"],
            body: JSON.object(["data": ["jwt": .string(token)]]).bytes(), deadline: context.settings.functionDeadline,
            event: event.rawValue)
        switch try context.result(of: call) {
        case .success(let answer): return answer
        case .failure(let error): throw failure(error, address)
        }
    }

    private func failure(_ error: OutgoingError, _ address: String) -> APIError {
        let code = ErrorCode.blockingFunctionFailed
        guard error == .timedOut else {
            return .inside("\(code.rawValue) : ((Failed to make request to \(address).))", reason: "\(error)")
        }
        if context.isStrict { return .refused(code, "Cloud function deadline exceeded.") }
        return .inside(
            "\(code.rawValue) : ((Deadline exceeded making request to \(address).))", reason: "The deadline has passed.")
    }
}

/// The changes in the response of a blocking function: the members of `userRecord` that its `updateMask` lists.
struct FunctionAnswer {
    private let event: BlockingFunctions.Event
    private let record: JSONObject
    private let fields: [Substring]
    private let isStrict: Bool

    /// Reads the response of a function.
    ///
    /// - Throws: The error that the function's response means.
    init(_ answer: OutgoingResponse, to event: BlockingFunctions.Event, _ context: RequestContext) throws(APIError) {
        self.event = event
        isStrict = context.isStrict
        let code = ErrorCode.blockingFunctionFailed
        guard (200...299).contains(answer.status) else {
            let text = String(decoding: answer.body, as: UTF8.self)
            let address = context.rules.functions.addresses[event] ?? ""
            throw .refused(
                code,
                isStrict
                    ? "HTTP Cloud Function returned an error: \(text)"
                    : "((HTTP request to \(address) returned HTTP error \(answer.status): \(text)))")
        }
        guard let json = try? JSON.parse(answer.body) else {
            throw .inside("\(code.rawValue) : ((Response body is not valid JSON.))", reason: "The answer is not JSON.")
        }
        guard let given = json["userRecord"], !given.isNull else {
            (record, fields) = ([:], [])
            return
        }
        let record = given.object ?? [:]
        let mask = try context.require(
            record["updateMask"]?.string.flatMap { $0.isEmpty ? nil : $0 }, code, "((Response UserRecord is missing updateMask.))"
        )
        self.record = record
        fields = mask.pieces(at: ",")
    }

    /// Changes the account; a masked field without a value is cleared.
    func apply(to user: inout User) throws(APIError) {
        for field in fields {
            switch field {
            case "displayName": user.displayName = record["displayName"]?.asText
            case "photoUrl": user.photoURL = record["photoUrl"]?.asText
            case "disabled": user.isDisabled = isTrue("disabled")
            case "emailVerified": user.emailVerified = isTrue("emailVerified")
            case "customClaims":
                let claims = (record["customClaims"] ?? .null).text()
                try CustomClaims.check(text: claims)
                user.customAttributes = claims
            default: break
            }
        }
        user.settleIdentities()
    }

    /// Returns the claims for the tokens of this session and of its refreshes; `beforeCreate` has none.
    func sessionClaims() throws(APIError) -> JSONObject {
        guard event == .beforeSignIn, fields.contains("sessionClaims"), let claims = record["sessionClaims"] else { return [:] }
        guard let members = claims.object else {
            throw .refused(.blockingFunctionFailed, "((Response has malformed session claims.))")
        }
        // Firebase's emulator does not limit their length.
        if isStrict { try CustomClaims.check(text: claims.text()) } else { try CustomClaims.check(claims) }
        return members
    }

    /// Reads a value as a condition in JavaScript.
    private func isTrue(_ name: String) -> Bool {
        switch record[name] {
        case .bool(let value): value
        case .string(let text): !text.isEmpty
        case .int(let number): number != 0
        case .double(let number): number != 0
        case .object, .array: true
        case nil, .null: false
        }
    }
}

/// A project's blocking functions.
struct FunctionSettings: Sendable, Equatable {
    var addresses: [BlockingFunctions.Event: String] = [:]
    /// The identity provider's credentials that functions get: `idToken`, `accessToken`, `refreshToken`.
    var forwarded: Set<ExactString> = []

    init() {}

    /// Reads `blockingFunctions` of a project's configuration.
    init(_ config: JSON?) {
        for event in BlockingFunctions.Event.allCases {
            addresses[event] = config?["triggers"]?[event.rawValue]?["functionUri"]?.string
        }
        for (name, value) in config?["forwardInboundCredentials"]?.object ?? [:] where value == true {
            forwarded.insert(name.exact)
        }
    }
}
