@_exported public import LockstepPrimitives

/// The requirements for a token's claims.
///
/// A verifier always checks the issuer and the audience, because a valid signature is not sufficient. For example,
/// Firebase signs the ID tokens of all projects with the same keys
/// (https://firebase.google.com/docs/auth/admin/verify-id-tokens). So a token of another project also has a valid
/// signature.
///
/// ```swift
/// let firebase = TokenRules(issuers: ["https://securetoken.google.com/orders"], audiences: ["orders"])
/// let supabase = TokenRules(issuers: ["https://ref.supabase.co/auth/v1"], audiences: ["authenticated"])
/// let clerk = TokenRules(issuers: ["https://clerk.orders.example"], audiences: .authorizedParties(["https://orders.example"]))
/// ```
public struct TokenRules: Sendable, Hashable {
    /// The check of the audience for which a token was made.
    ///
    /// ```swift
    /// let any: TokenRules.Audience = ["orders", "billing"]
    /// let native = TokenRules(issuers: ["https://clerk.orders.example"], audiences: .notInTokens)
    /// print(any, native.audiences)
    /// ```
    public enum Audience: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The claim `aud` must contain one of these values.
        case oneOf(Set<String>)
        /// The token must have no `aud`, and its `azp` must be one of these values.
        ///
        /// Session tokens that Clerk makes for a web page have this form
        /// (https://clerk.com/docs/backend-requests/manual-jwt).
        case authorizedParties(Set<String>)
        /// The token must have no `aud`, because its issuer serves only one application.
        ///
        /// A Clerk instance for native apps is an example. A token with an `aud` is for another audience, and is
        /// rejected.
        case notInTokens

        /// Creates a check for the listed audiences.
        ///
        /// - Parameter elements: The accepted audiences.
        public init(arrayLiteral elements: String...) { self = .oneOf(Set(elements)) }
    }

    /// The accepted issuers.
    public var issuers: Set<String>
    /// Whether a token without `iss` is accepted, because an old server does not write this claim.
    ///
    /// If so, only the keys identify the issuer. No other server may sign with these keys.
    public var takesNamelessIssuer = false
    /// The check of the audience.
    public var audiences: Audience
    /// The maximum difference between the clocks of the issuer and the verifier.
    public var leeway: Duration
    /// Whether a token without `exp` is rejected.
    public var requiresExpiry: Bool
    /// The claims that a token must have, with any value.
    public var requiredClaims: Set<String>

    /// Creates custom rules.
    ///
    /// - Parameters:
    ///   - issuers: The accepted issuers.
    ///   - audiences: The check of the audience.
    ///   - leeway: The maximum difference between the clocks of the issuer and the verifier. Default: zero.
    ///   - requiresExpiry: Whether a token without `exp` is rejected. Default: `true`.
    ///   - requiredClaims: The claims that a token must have. Default: none.
    public init(
        issuers: Set<String>, audiences: Audience, leeway: Duration = .zero, requiresExpiry: Bool = true,
        requiredClaims: Set<String> = []
    ) {
        self.issuers = issuers
        self.audiences = audiences
        self.leeway = leeway
        self.requiresExpiry = requiresExpiry
        self.requiredClaims = requiredClaims
    }

    /// Checks the claims of a token against the rules, but not its signature.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - now: The current time.
    /// - Throws: ``TokenError`` for the first rule that the claims break. The method checks for missing claims first,
    ///   then the times, then the issuer and the audience.
    public func check(_ claims: JSONObject, at now: Instant) throws(TokenError) {
        for part in Part.allCases { try check(part, of: claims, at: now) }
    }

    /// The parts of the rules, in the order in which they are checked.
    package enum Part: Sendable, CaseIterable { case requiredClaims, times, issuer, audience }

    /// Checks claims against one part of the rules.
    ///
    /// - Throws: ``TokenError`` for the first rule that the claims break.
    package func check(_ part: Part, of claims: JSONObject, at now: Instant) throws(TokenError) {
        switch part {
        case .requiredClaims:
            for name in requiredClaims.sorted() where claims[name] == nil {
                throw TokenError(.missingClaim, "The token has no claim \(name).")
            }
        case .times: try checkTimes(claims, at: now)
        case .issuer:
            guard accepts(issuer: claims["iss"]) else {
                guard claims["iss"] != nil else { throw TokenError(.missingClaim, "The token has no claim iss.") }
                throw .wrongIssuer(expected: issuers)
            }
        case .audience: try checkAudience(claims)
        }
    }

    /// Returns whether the rules accept an issuer.
    ///
    /// - Parameter issuer: The claim `iss`; `nil` if the token has no issuer.
    /// - Returns: Whether the rules accept the issuer.
    public func accepts(issuer: JSON?) -> Bool {
        guard let issuer else { return takesNamelessIssuer }
        return issuer.string.map { Self.contains($0, in: issuers) } ?? false
    }

    private func checkAudience(_ claims: JSONObject) throws(TokenError) {
        switch audiences {
        case .oneOf(let audiences):
            guard let audience = claims["aud"] else { throw TokenError(.missingClaim, "The token has no claim aud.") }
            let names = audience.array?.compactMap(\.string) ?? [audience.string].compactMap(\.self)
            guard names.contains(where: { Self.contains($0, in: audiences) }) else { throw .meantForSomebodyElse }
        case .authorizedParties(let parties):
            guard claims["aud"] == nil else { throw .meantForSomebodyElse }
            guard let party = claims["azp"] else { throw TokenError(.missingClaim, "The token has no claim azp.") }
            guard let name = party.string, Self.contains(name, in: parties) else { throw .meantForSomebodyElse }
        case .notInTokens:
            guard claims["aud"] == nil else { throw .meantForSomebodyElse }
        }
    }

    /// Compares bytes, as RFC 7519 does (section 2, StringOrURI).
    private static func contains(_ name: String, in names: Set<String>) -> Bool {
        names.contains { $0.exact == name.exact }
    }

    private func checkTimes(_ claims: JSONObject, at now: Instant) throws(TokenError) {
        if let expiry = try time("exp", in: claims) {
            guard now < expiry + leeway else { throw TokenError(.expired, "The token is expired.") }
        } else if requiresExpiry {
            throw TokenError(.missingClaim, "The token has no claim exp.")
        }
        if let start = try time("nbf", in: claims), now + leeway < start {
            throw TokenError(.notYetValid, "The token is not valid yet.")
        }
        if let issue = try time("iat", in: claims), now + leeway < issue {
            throw TokenError(
                .issuedInFuture, "The token was issued in the future. Check the clocks of this server and the issuer.")
        }
    }

    /// Returns a claim in seconds, with or without a fraction (RFC 7519, NumericDate).
    private func time(_ name: String, in claims: JSONObject) throws(TokenError) -> Instant? {
        guard let claim = claims[name] else { return nil }
        guard let time = Instant(numericDate: claim) else {
            throw TokenError(.invalidClaim, "The claim \(name) of the token must be a time in seconds.")
        }
        return time
    }
}

extension TokenError {
    fileprivate static let meantForSomebodyElse = TokenError(.wrongAudience, "The token is meant for another audience.")

    /// Returns the error for a token from another issuer.
    ///
    /// It names the accepted issuers, but contains nothing from the token.
    package static func wrongIssuer(expected issuers: Set<String>) -> TokenError {
        let names = issuers.isEmpty ? "a token without iss" : issuers.sorted().map(\.debugDescription).joined(separator: " or ")
        return TokenError(.wrongIssuer, "The token was issued by another issuer. Expected: \(names).")
    }
}
