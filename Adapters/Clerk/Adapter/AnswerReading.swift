package import Lockstep
internal import LockstepHTTP
package import LockstepPrimitives
internal import LockstepWire

extension ClerkAPI {
    /// Returns the session of a finished attempt: its user and its first token come from the snapshot of the client.
    func session(_ id: String, in response: ClerkResponse) async throws(AuthError) -> Session {
        let listed = response.session(id)
        guard let object = listed?["user"]?.object else { throw ErrorMapping.incomplete("the session's user") }
        guard let client = response.client else { throw ErrorMapping.incomplete("the client's token") }
        let user = try User(clerk: object)
        if let token = listed?["last_active_token"]?["jwt"]?.filled, let date = response.date,
            let issued = CompactToken.unverifiedClaims(of: token)?["iat"]?.double,
            abs(Double(date.seconds) - issued) < Self.freshness
        {
            return try session(id, user: user, client: client, token: token, date: date)
        }
        return try await session(id, user: user, client: client)
    }

    /// The maximum age, in seconds, of a token that is treated as new, which saves a request at each sign-in.
    ///
    /// The dates in responses have whole seconds.
    private static let freshness = 3.0

    /// Returns a session with a new token.
    func session(_ id: String, user: User, client: Secret) async throws(AuthError) -> Session {
        let response = try await deciding(about: id, client: client) { () async throws(AuthError) in
            try await call(.post, "/client/sessions/\(id)/tokens", client: client)
        }
        guard let token = response.json["jwt"]?.filled else { throw ErrorMapping.incomplete("the session's token") }
        return try session(id, user: user, client: response.client ?? client, token: token, date: response.date)
    }

    private func session(_ id: String, user: User, client: Secret, token: String, date: Instant?) throws(AuthError) -> Session {
        guard BackendPath.isSegment(id) else { throw ErrorMapping.incomplete("a session id that can be part of a URL") }
        guard let claims = CompactToken.unverifiedClaims(of: token) else { throw ErrorMapping.incomplete("the session's token") }
        guard let life = TokenLife.written(in: claims) else { throw ErrorMapping.incomplete("the token's lifetime") }
        // `fva`: minutes since the first and the second factor, -1 for never.
        let isTwoFactor = (claims["fva"]?[1]?.int ?? -1) >= 0
        return Session(
            id: id, provider: ClerkAdapter.name, user: user, accessToken: Secret(token), refreshToken: client,
            lifetime: TokenLifetime(life: life, serverDate: date, clock: clock),
            assurance: isTwoFactor ? .twoFactors : .oneFactor, claims: claims)
    }
}

extension User {
    /// Reads Clerk's user object.
    ///
    /// - Throws: `invalidResponse` for any other object.
    package init(clerk object: JSONObject) throws(AuthError) {
        guard let id = object["id"]?.filled else { throw ErrorMapping.incomplete("the user's id") }
        let emails = object["email_addresses"]?.array ?? []
        let phones = object["phone_numbers"]?.array ?? []
        let email = emails.first { $0["id"] == object["primary_email_address_id"] } ?? emails.first
        // A number without a successful verification does not belong to the user. A number that is a second factor can
        // no longer be used to sign in alone.
        let numbers = phones.filter { $0.isProven && !$0.isSecondFactor }
        let phone = numbers.first { $0["id"] == object["primary_phone_number_id"] } ?? numbers.first
        let accounts = object["external_accounts"]?.array ?? []
        self.init(
            id: id, email: email?["email_address"]?.filled,
            isEmailVerified: email?.isProven ?? false,
            phone: phone?["phone_number"]?.filled,
            displayName: Self.name(of: object),
            photoURL: object["has_image"]?.bool == true ? object["image_url"]?.filled : nil,
            // A user cannot sign in with an unverified account, and such an account does not make the user verified.
            identities: emails.compactMap { Identity($0, .email, "email_address") }
                + numbers.compactMap { Identity($0, .phone, "phone_number") }
                + accounts.filter { $0["verification"]?.object == nil || $0.isProven }.compactMap(Identity.init(account:)),
            createdAt: (object["created_at"]?.int).map { Instant(milliseconds: $0) },
            metadata: object["unsafe_metadata"]?.object, fields: object)
    }

    /// Returns the first and last name; if the instance has no names, the name that the sign-up stored in the user's
    /// own metadata.
    private static func name(of object: JSONObject) -> String? {
        let names = [object["first_name"]?.filled, object["last_name"]?.filled].compactMap { $0 }
        return names.isEmpty ? object["unsafe_metadata"]?["display_name"]?.filled : names.joined(separator: " ")
    }
}

extension Identity {
    fileprivate init?(_ object: JSON, _ provider: IdentityProvider, _ member: String) {
        guard let id = object["id"]?.filled else { return nil }
        self.init(id: id, provider: provider, email: provider == .email ? object[member]?.filled : nil)
    }

    fileprivate init?(account: JSON) {
        guard let id = account["id"]?.filled, let provider = account["provider"]?.filled else { return nil }
        let name = provider.hasPrefix("oauth_") ? String(provider.dropFirst("oauth_".count)) : provider
        self.init(id: id, provider: IdentityProvider(rawValue: name), email: account["email_address"]?.filled)
    }
}

/// A name as Clerk stores it: the last word is the last name.
package struct PersonName {
    package let first: String
    package let last: String

    package init(_ name: String) {
        let words = name.pieces(at: " ")
        first = words.count > 1 ? words.dropLast().joined(separator: " ") : name
        last = words.count > 1 ? String(words[words.count - 1]) : ""
    }

    var form: [(name: String, value: String)] { [("first_name", first), ("last_name", last)] }
}

extension JSON {
    /// Whether the verification of an address, number or account has succeeded.
    var isProven: Bool { self["verification"]?["status"]?.string == "verified" }

    /// Whether a number is only a second factor, and not a way to sign in.
    var isSecondFactor: Bool { self["reserved_for_second_factor"]?.bool == true }
}

extension ClerkAPI {
    /// The step for a sign-up in its current status.
    func step(ofSignUp response: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let attempt = try response.resource()
        flow[.signUp] = attempt["id"]?.string
        switch attempt["status"]?.string {
        case "complete":
            flow.signUpInProgress = nil
            return try await end(of: attempt, in: response, flow)
        case "missing_requirements":
            let unverified = attempt["unverified_fields"]?.array?.compactMap(\.string) ?? []
            for kind in [AddressKind.email, .phone] where unverified.contains(kind.rawValue) {
                return .verify(try await sendSignUpProof(of: kind, after: attempt, in: flow))
            }
            let missing = attempt["missing_fields"]?.array?.compactMap(\.string) ?? []
            guard !missing.isEmpty else { return .other(OtherStep(flow: flow.flow, status: "missing_requirements")) }
            return .moreInformation(MissingFieldsStep(flow: flow.flow, fields: missing.map { .init(rawValue: $0) }))
        case let status: return .other(OtherStep(flow: flow.flow, status: status ?? "none"))
        }
    }

    /// The step for a sign-in in its current status.
    func step(ofSignIn response: ClerkResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        switch attempt["status"]?.string {
        case "complete": return try await end(of: attempt, in: response, flow)
        case "needs_first_factor": return try await firstFactor(attempt, in: flow)
        case "needs_client_trust":
            for strategy in AddressKind.allCases.map(\.codeStrategy) {
                guard let factor = attempt.factor("supported_second_factors", strategy) else { continue }
                return .verify(try await send(.secondFactor, strategy, factor, in: flow))
            }
            return .other(OtherStep(flow: flow.flow, status: "needs_client_trust"))
        case "needs_second_factor": return secondFactor(.secondFactor, of: attempt, in: flow)
        case "needs_new_password":
            let reason: NewPasswordStep.Reason = flow.flow.kind == .passwordReset ? .reset : .required
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: reason))
        case let status: return .other(OtherStep(flow: flow.flow, status: status ?? "none"))
        }
    }

    /// Returns the session of a finished attempt.
    ///
    /// A pending session is not a sign-in: the app gets its first task, such as `setup-mfa`, as the status.
    private func end(of attempt: JSONObject, in response: ClerkResponse, _ flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let id = attempt["created_session_id"]?.filled else { throw ErrorMapping.incomplete("the session's id") }
        let session = response.session(id)
        if session?["status"]?.string == "pending" {
            return .other(OtherStep(flow: flow.flow, status: session?["tasks"]?[0]?["key"]?.filled ?? "pending"))
        }
        return .complete(try await self.session(id, in: response))
    }

    /// Returns the step after a correct password if the address is not verified: Clerk then requires a code as the
    /// first factor.
    private func firstFactor(_ attempt: JSONObject, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let factor = attempt.factor("supported_first_factors", "email_code") else {
            return .other(OtherStep(flow: flow.flow, status: "needs_first_factor"))
        }
        flow.become(.confirmation)
        return .verify(try await send(.firstFactor, "email_code", factor, in: flow))
    }

    /// Returns the second factor of a sign-in, or of a session that is verified again.
    func secondFactor(_ stage: Stage, of attempt: JSONObject, in flow: FlowMemory) -> AuthStep {
        let choices = (attempt["supported_second_factors"]?.array ?? []).compactMap(FactorChoice.init(clerk:))
        guard !choices.isEmpty else { return .other(OtherStep(flow: flow.flow, status: "needs_second_factor")) }
        flow[.factors] = choices
        flow[.stage] = stage.rawValue
        // An authenticator app needs no message, so its code can be requested immediately.
        guard let app = choices.first(where: { $0.kind == .authenticatorApp }) else {
            return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: nil, choices: choices))
        }
        flow[.strategy] = app.id
        let challenge = Challenge(flow: flow.flow, channel: .authenticatorApp, destination: "", accepts: [.code])
        return .secondFactor(SecondFactorStep(flow: flow.flow, challenge: challenge, choices: choices))
    }
}

extension JSONObject {
    /// Returns the factor of a strategy in a list of an attempt.
    func factor(_ list: String, _ strategy: String) -> JSONObject? {
        (self[list]?.array ?? []).first { $0["strategy"]?.string == strategy }?.object
    }
}

extension FactorChoice {
    /// Reads one of an attempt's second factors; its id is the strategy, and the id of the number if there is one.
    fileprivate init?(clerk factor: JSON) {
        guard let strategy = factor["strategy"]?.string else { return nil }
        let label = factor["safe_identifier"]?.filled
        switch strategy {
        case "totp": self.init(id: strategy, kind: .authenticatorApp)
        case "phone_code":
            self.init(id: "\(strategy) \(factor["phone_number_id"]?.string ?? "")", kind: .phone, label: label)
        case "email_code":
            self.init(id: "\(strategy) \(factor["email_address_id"]?.string ?? "")", kind: .email, label: label)
        case "backup_code": self.init(id: strategy, kind: .backupCode)
        default: return nil
        }
    }
}
