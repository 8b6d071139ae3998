internal import Lockstep
public import LockstepHTTP
internal import LockstepTokens
internal import LockstepWire

extension SessionVerifier {
    /// Creates a verifier for the tokens of another issuer that publishes its keys.
    ///
    /// The verifier checks the signature, the issuer, the audience and the times, and nothing else.
    ///
    /// ```swift
    /// let verifier = try SessionVerifier.published(
    ///     at: "https://issuer.example/.well-known/jwks.json", issuer: "https://issuer.example", audience: ["orders"],
    ///     transport: CurlTransport())
    /// print(try await verifier.verify(token).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The URL of the issuer's key set, such as `https://issuer.example/.well-known/jwks.json`.
    ///   - issuer: The `iss` of the tokens.
    ///   - audience: The accepted values of `aud`. If the set is empty, the verifier rejects a token with an `aud`.
    ///   - transport: The transport that sends the requests for the keys.
    ///   - clock: The clock that decides whether a token is expired.
    /// - Returns: The verifier.
    /// - Throws: `invalidConfiguration` if a value is invalid; the message names the value.
    public static func published(
        at keys: String, issuer: String, audience: Set<String>, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock()
    ) throws(AuthError) -> SessionVerifier {
        let address = try BackendAddress(keys, called: "key set's address").url
        guard !issuer.isEmpty else {
            throw AuthError(.invalidConfiguration, "The issuer is empty. Use the value of the claim iss.")
        }
        return SessionVerifier(
            Project(
                keys: .published(RemoteKeySet(at: address, over: transport, clock: clock)),
                rules: TokenRules(
                    issuers: [issuer], audiences: audience.isEmpty ? .notInTokens : .oneOf(audience), leeway: leeway,
                    requiredClaims: ["sub"]),
                clock: clock,
                read: { token throws(TokenError) in try VerifiedSession(token) },
                question: nil))
    }
}
