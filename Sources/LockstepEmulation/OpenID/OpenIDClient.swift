public import LockstepPrimitives
internal import LockstepTokens

/// A client that requests endpoints, tokens, user information and keys from an OpenID Connect provider.
///
/// Each request is deferred work. So each method throws ``NeedsDeferredWork`` in the first run of the handler, and returns the
/// result in a later run. The client connects only to providers on this machine. The emulator writes its own error messages.
public struct OpenIDClient<State: EmulatorState> {
    private let context: RequestContext<State>
    private let parse: (_ body: [UInt8]) throws -> JSON

    /// Creates a client for one request to the emulator.
    ///
    /// - Parameters:
    ///   - parse: Parses the provider's responses. An emulator passes its own function if its backend has other rules for JSON.
    public init(
        _ context: RequestContext<State>, parsing parse: @escaping (_ body: [UInt8]) throws -> JSON = { try JSON.parse($0) }
    ) {
        self.context = context
        self.parse = parse
    }

    /// Requests a JSON object from the provider, such as its configuration or its user information.
    ///
    /// - Parameters:
    ///   - address: The URL of the object.
    ///   - token: The access token for the request; `nil` to send none.
    /// - Returns: The object, or the reason why no object was received.
    /// - Throws: An error if the handler must run again to get the result.
    public func object(at address: String, token: String? = nil) throws -> Result<JSONObject, OpenIDFailure> {
        var request = OutgoingRequest("GET", address, headers: ["Accept": "application/json"])
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        return try object(of: request)
    }

    /// Requests the provider's configuration (OpenID Connect Discovery 1.0, section 4).
    ///
    /// - Parameter address: The URL of the configuration: ``OpenIDConfiguration/address(of:)``.
    /// - Returns: The configuration, or the reason why no configuration was received.
    /// - Throws: An error if the handler must run again to get the result.
    public func configuration(at address: String) throws -> Result<OpenIDConfiguration, OpenIDFailure> {
        try object(at: address).map { OpenIDConfiguration(members: $0) }
    }

    /// Exchanges an authorization code for tokens (RFC 6749, section 4.1.3).
    ///
    /// - Parameters:
    ///   - code: The code that the browser brought back from the provider.
    ///   - address: The URL of the token endpoint.
    ///   - client: The id and the secret of this client.
    ///   - redirect: The URL to which the code was sent.
    ///   - verifier: The PKCE verifier, if the request for the code contained a challenge.
    /// - Returns: The tokens, or the reason why no tokens were received.
    /// - Throws: An error if the handler must run again to get the result.
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

    /// Returns the claims of a token if its issuer has signed it.
    ///
    /// Only the signature of the token is checked. If no cached key fits, the client requests the keys again, because an issuer can change
    /// them.
    ///
    /// - Parameters:
    ///   - address: A closure that returns the URL of the issuer's keys. The client calls the closure only if it needs the keys.
    /// - Returns: The claims; `nil` if the issuer has not signed the token, or if its keys cannot be read.
    /// - Throws: An error if the handler must run again to get the result.
    public func claims(
        of token: String, from issuer: String, _ kept: IssuerKeys, keysAt address: () throws -> String?
    ) throws -> JSONObject? {
        // A text that is not a token must not cause a request.
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

/// The reason why an identity provider gave no usable response.
public enum OpenIDFailure: Error, Sendable, Hashable {
    /// The provider did not respond.
    case unreachable(OutgoingError)
    /// The provider returned a status other than 200, or its response is not a JSON object.
    case unusable
}

/// The tokens that a provider returns for an authorization code.
///
/// A token is `nil` if the response does not contain it, or if it is empty.
public struct OpenIDTokens: Sendable, Hashable {
    /// The access token.
    public let access: String?
    /// The ID token, which the provider has signed.
    public let id: String?
    /// The refresh token.
    public let refresh: String?
}

/// The configuration that an identity provider publishes.
public struct OpenIDConfiguration: Sendable, Hashable {
    let members: JSONObject

    /// Returns the URL of an issuer's configuration.
    public static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// The name of the provider in its tokens (`iss`).
    public var issuer: String? { members["issuer"]?.string }
    /// The URL of the page on which the user signs in.
    public var authorization: String? { members["authorization_endpoint"]?.string }
    /// The URL of the token endpoint.
    public var token: String? { members["token_endpoint"]?.string }
    /// The URL of the user information endpoint.
    public var userInfo: String? { members["userinfo_endpoint"]?.string }
    /// The URL of the provider's public keys.
    public var keys: String? { members["jwks_uri"]?.string }
}
