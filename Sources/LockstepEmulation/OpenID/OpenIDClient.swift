public import LockstepPrimitives
internal import LockstepTokens

/// A client for an OpenID Connect provider: it fetches the provider's addresses, tokens, the user and the keys.
///
/// Each request is deferred work, so each method throws ``NeedsDeferredWork`` in the first run that needs it. Only providers on
/// this machine are reachable. The emulator writes its own error messages.
public struct OpenIDClient<State: EmulatorState> {
    private let context: RequestContext<State>
    private let parse: (_ body: [UInt8]) throws -> JSON

    /// Creates a client for one request.
    ///
    /// - Parameters:
    ///   - context: The context of the request.
    ///   - parse: Parses responses, for an emulator whose backend has its own JSON rules.
    public init(
        _ context: RequestContext<State>, parsing parse: @escaping (_ body: [UInt8]) throws -> JSON = { try JSON.parse($0) }
    ) {
        self.context = context
        self.parse = parse
    }

    /// Returns a JSON object of the provider: its configuration, or its user information.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - token: The access token for the request.
    /// - Returns: The JSON object of the provider: its configuration, or its user information.
    /// - Throws: An error if the request has to wait: the response comes with a later run of the handler.
    public func object(at address: String, token: String? = nil) throws -> Result<JSONObject, OpenIDFailure> {
        var request = OutgoingRequest("GET", address, headers: ["Accept": "application/json"])
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        return try object(of: request)
    }

    /// Returns the provider's configuration (OpenID Connect Discovery 1.0, section 4).
    ///
    /// - Parameter address: The address of the document: ``OpenIDConfiguration/address(of:)``.
    /// - Returns: The provider's configuration (OpenID Connect Discovery 1.0, section 4).
    /// - Throws: An error if the request has to wait: the response comes with a later run of the handler.
    public func configuration(at address: String) throws -> Result<OpenIDConfiguration, OpenIDFailure> {
        try object(at: address).map { OpenIDConfiguration(members: $0) }
    }

    /// Exchanges an authorization code (RFC 6749, section 4.1.3).
    ///
    /// - Parameters:
    ///   - code: The code from the browser.
    ///   - address: The token endpoint.
    ///   - client: The credentials of the client.
    ///   - redirect: The address that the code was sent to.
    ///   - verifier: The verifier of the proof key, if the request for the code had a challenge.
    /// - Returns: The result.
    /// - Throws: An error if the request has to wait: the response comes with a later run of the handler.
    public func tokens(
        for code: String, at address: String, as client: OpenIDCredentials, redirect: String, verifier: String? = nil
    ) throws -> Result<OpenIDTokens, OpenIDFailure> {
        var form = client.form
        form += [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect)]
        if let verifier { form.append(("code_verifier", verifier)) }
        let body = form.sorted { $0.0 < $1.0 }.map { "\($0.0)=\(OpenIDCredentials.encoded($0.1))" }.joined(separator: "&")
        var headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        headers["Authorization"] = client.header
        return try object(of: OutgoingRequest("POST", address, headers: headers, body: Array(body.utf8))).map { members in
            func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
            return OpenIDTokens(access: text("access_token"), id: text("id_token"), refresh: text("refresh_token"))
        }
    }

    /// Returns the claims of a token that the issuer has signed.
    ///
    /// Only the signature is checked.
    ///
    /// If no cached key has signed the token, the client fetches the keys again, because issuers change them.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - issuer: The issuer.
    ///   - kept: The cached keys.
    ///   - address: Returns the address of the issuer's keys; called only if they are needed.
    /// - Returns: The claims; `nil` if the token is not from the issuer, or if the keys cannot be read.
    /// - Throws: An error if the request has to wait: the response comes with a later run of the handler.
    public func claims(
        of token: String, from issuer: String, _ kept: IssuerKeys, keysAt address: () throws -> String?
    ) throws -> JSONObject? {
        // A text that is no token must not cost a request.
        guard (try? UnverifiedToken(token)) != nil else { return nil }
        if let keys = kept.keys(of: issuer, at: context.now),
            let verified = try? TokenVerifier.verifySignature(of: token, keys: keys)
        {
            return verified.claims
        }
        guard let address = try address(), case .success(let set) = try object(at: address),
            let keys = try? JSONWebKeySet(.object(set)).verificationKeys
        else { return nil }
        kept.keep(keys, of: issuer, at: context.now)
        return try? TokenVerifier.verifySignature(of: token, keys: keys).claims
    }

    private func object(of request: OutgoingRequest) throws -> Result<JSONObject, OpenIDFailure> {
        switch try context.result(of: request) {
        case .failure(let error): return .failure(.unreachable(error))
        case .success(let response):
            guard response.status == 200, let object = (try? parse(response.body))?.object else { return .failure(.unusable) }
            return .success(object)
        }
    }
}

/// An error of a request to an identity provider.
public enum OpenIDFailure: Error, Sendable, Hashable {
    /// The provider did not respond.
    case unreachable(OutgoingError)
    /// The provider returned a status other than 200, or no JSON object.
    case unusable
}

/// The tokens that a provider returns for an authorization code.
///
/// An empty member is `nil`.
public struct OpenIDTokens: Sendable, Hashable {
    /// The access token.
    public let access: String?
    /// The ID token, which the provider has signed.
    public let id: String?
    /// The refresh token.
    public let refresh: String?
}

/// The configuration that a provider publishes.
public struct OpenIDConfiguration: Sendable, Hashable {
    let members: JSONObject

    /// The address of an issuer's configuration.
    public static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// The issuer of its tokens.
    public var issuer: String? { members["issuer"]?.string }
    /// The page that asks the user.
    public var authorization: String? { members["authorization_endpoint"]?.string }
    /// The token endpoint.
    public var token: String? { members["token_endpoint"]?.string }
    /// The address of the user information.
    public var userInfo: String? { members["userinfo_endpoint"]?.string }
    /// The address of its keys.
    public var keys: String? { members["jwks_uri"]?.string }
}
