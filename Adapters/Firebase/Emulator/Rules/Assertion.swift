internal import LockstepPrimitives

/// The data that a client sends from an identity provider: the combined parameters of `requestUri` and `postBody`.
struct Assertion {
    let provider: String
    let idToken: String?
    let accessToken: String?
    let nonce: String?
    /// The SAML response in the JSON form of Firebase's emulator; strict mode rejects every SAML response.
    let samlResponse: String?

    /// Creates an assertion from the tokens that a provider has returned for the code of a redirect.
    init(provider: String, idToken: String, accessToken: String?, nonce: String) {
        (self.provider, self.idToken, self.accessToken, self.nonce) = (provider, idToken, accessToken, nonce)
        samlResponse = nil
    }

    init(_ context: RequestContext) throws(APIError) {
        let text = try context.require(context.body.given("requestUri"), .missingRequestURI)
        var address = try context.require(WebAddress(text), .invalidRequestURI)
        for (name, value) in Percent.decodeForm(context.body.text("postBody") ?? "") ?? [] { address.set(name, to: value) }
        for (name, value) in address.fragment.flatMap({ Percent.decodeForm($0) }) ?? [] { address.set(name, to: value) }
        address.fragment = nil
        func given(_ name: String) -> String? { address.value(name).flatMap { $0.isEmpty ? nil : $0 } }
        provider = try context.require(
            given("providerId")?.lowercased(), .invalidProvider, "Invalid IdP response/credential: \(address.text)")
        idToken = given("id_token")
        accessToken = given("access_token")
        nonce = given("nonce")
        samlResponse = given("SAMLResponse")
    }
}

/// The claims of the data that a client sends from an identity provider.
struct AssertionClaims {
    let context: RequestContext

    /// Returns the claims of the client's data.
    func read(_ assertion: Assertion) throws -> JSONObject {
        switch context.settings.mode {
        case .emulator: try openClaims(of: assertion)
        case .strict: try verifiedClaims(of: assertion)
        }
    }

    private func verifiedClaims(of assertion: Assertion) throws -> JSONObject {
        let issuer = try context.trustedIssuers.issuer(of: assertion.provider)
        // The JSON form has no signature, so the sender chooses its attributes and its address.
        guard assertion.samlResponse == nil, !assertion.provider.hasPrefix(ProviderConfig.saml.prefix) else {
            throw APIError.refused(.invalidResponse, "The SAML response is not signed: this server verifies ID tokens only.")
        }
        guard let token = assertion.idToken else {
            throw APIError.refused(.invalidResponse, "This server takes ID tokens of identity providers only.")
        }
        return try context.state.identityTokens.claims(of: token, issuer: issuer, nonce: assertion.nonce, now: context.now)
    }

    /// Reads the claims as Firebase's emulator does: from bare JSON or any JSON Web Token, without verification.
    private func openClaims(of assertion: Assertion) throws(APIError) -> JSONObject {
        if let token = assertion.idToken, let claims = try Self.openClaims(token) { return claims }
        if let token = assertion.accessToken, let claims = try Self.openClaims(token) { return claims }
        if let token = assertion.idToken {
            throw .refused(
                .invalidResponse,
                "Unable to parse id_token: \(token) ((Auth Emulator only accepts strict JSON or JWTs as fake id_tokens.))")
        }
        guard assertion.accessToken != nil else {
            throw .notImplemented("The Auth Emulator only supports sign-in with credentials (id_token required).")
        }
        guard [ProviderID.google, ProviderID.apple].contains(assertion.provider) else {
            throw .notImplemented("The Auth Emulator does not support \(assertion.provider) sign-in with credentials.")
        }
        throw .notImplemented(
            "The Auth Emulator only support sign-in with \(assertion.provider) using id_token, not access_token. "
                + "Please update your code to use id_token.")
    }

    private static func openClaims(_ token: String) throws(APIError) -> JSONObject? {
        let claims: JSONObject
        if token.hasPrefix("{") {
            guard let object = (try? JSON.parse(token))?.object else {
                throw .refused(
                    .invalidResponse,
                    "Unable to parse id_token: \(token) ((Auth Emulator failed to parse fake id_token as strict JSON.))")
            }
            claims = object
        } else if let parsed = OpenToken.foreign(token) {
            claims = parsed.claims
        } else {
            return nil
        }
        switch claims["sub"] {
        case .string(let subject) where !subject.isEmpty: return claims
        case nil, .null, .string, .int(0), .bool(false):
            throw .refused(
                .invalidResponse,
                "Invalid Idp Response: id_token missing required fields. "
                    + "((Missing \"sub\" field. This field is required and must be a unique identifier.))")
        default: throw .refused(.invalidResponse, "((The \"sub\" field must be a string.))")
        }
    }
}

/// A SAML response in the JSON form that Firebase's emulator accepts in place of the XML.
struct SAMLAssertion {
    let nameID: String
    let attributes: JSON?

    init(_ text: String) throws(APIError) {
        guard let response = try? JSON.parse(text), response.object != nil else { throw .refused(.invalidResponse) }
        guard let assertion = response["assertion"], !assertion.isNull else { throw Self.missing("assertion") }
        guard let subject = assertion["subject"], !subject.isNull else { throw Self.missing("assertion.subject") }
        guard let name = subject["nameId"]?.string, !name.isEmpty else { throw Self.missing("assertion.subject.nameId") }
        nameID = name
        attributes = assertion["attributeStatements"]
    }

    private static func missing(_ path: String) -> APIError {
        .refused(sentence: "\(ErrorCode.invalidResponse.rawValue) ((Missing \(path) in SAMLResponse.))")
    }
}
