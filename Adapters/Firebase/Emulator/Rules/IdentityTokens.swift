internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepTokens

/// Verifies the tokens of identity providers and of the project's own servers.
struct IdentityTokens: Sendable {
    /// Maximum tolerated clock skew.
    private static let leeway = Duration.seconds(60)

    /// The audience of custom tokens (https://firebase.google.com/docs/auth/admin/create-custom-tokens).
    static let service =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// Returns the claims of a valid ID token of a provider.
    func claims(of token: String, issuer: TrustedIssuer, nonce: String?, now: Instant) throws(APIError) -> JSONObject {
        let rules = TokenRules(
            issuers: [issuer.issuer], audiences: .oneOf(Set(issuer.audiences)), leeway: Self.leeway, requiredClaims: ["sub"])
        let claims = try verified(token, keys: issuer.keys, rules: rules, now: now)
        guard claims["sub"]?.string?.isEmpty == false else {
            throw .refused(.invalidResponse, "Invalid Idp Response: id_token missing required fields.")
        }
        try check(nonce, against: claims["nonce"]?.string, needsNonce: issuer.needsNonce)
        return claims
    }

    /// Returns the claims of a custom token that one of the project's servers has signed.
    func claims(ofCustomToken token: String, keys: JSON, now: Instant) throws -> JSONObject {
        do {
            let set = try JSONWebKeySet(keys)
            let keys = set.verificationKeys
            // Any of the project's service accounts may have signed it as the issuer; the keys belong to the project.
            let issuer = try TokenVerifier.verifySignature(of: token, keys: keys).claims["iss"]?.string
            let rules = TokenRules(issuers: Set([issuer].compactMap(\.self)), audiences: [Self.service], leeway: Self.leeway)
            return try TokenVerifier(keys: keys, rules: rules).verify(token, at: now).claims
        } catch {
            throw APIError.refused(.invalidCustomToken, Self.sentence(error))
        }
    }

    private func verified(
        _ token: String, keys: JSON, rules: TokenRules, now: Instant
    ) throws(APIError) -> JSONObject {
        do throws(TokenError) {
            let set = try JSONWebKeySet(keys)
            return try TokenVerifier(keys: set.verificationKeys, rules: rules).verify(token, at: now).claims
        } catch {
            throw .refused(.invalidResponse, Self.sentence(error))
        }
    }

    private static func sentence(_ error: TokenError) -> String {
        "Unable to verify the ID Token signature or claims. (\(error.code.rawValue))"
    }

    /// The token contains the SHA-256 of the client's nonce, so that an attacker cannot replay a token of another
    /// sign-in (https://firebase.google.com/docs/auth/ios/apple).
    ///
    /// Some providers put the nonce itself into the token.
    private func check(_ nonce: String?, against claim: String?, needsNonce: Bool) throws(APIError) {
        guard let claim else {
            if needsNonce || nonce != nil { throw .refused(.invalidNonce, "Nonce is missing in the ID token.") }
            return
        }
        guard let nonce else { throw .refused(.invalidNonce, "Nonce is missing in the request.") }
        let digest = Hex.encode(HashFunction.sha256.digest(nonce))
        guard claim == digest || (!needsNonce && claim == nonce) else {
            throw .refused(
                .invalidNonce, "SHA-256 hash of nonce in the request does not match the nonce in the ID token.")
        }
    }
}
