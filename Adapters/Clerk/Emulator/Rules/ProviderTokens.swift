import LockstepPrimitives
internal import LockstepTokens

/// Reads ID tokens of the providers that the instance trusts.
struct ProviderTokens {
    let context: RequestContext

    /// Returns the provider of a token strategy.
    func provider(_ strategy: String) throws -> IdentityProvider {
        let name = strategy == "google_one_tap" ? "google" : String(strategy.dropFirst("oauth_token_".count))
        guard let provider = context.settings.providers.first(where: { $0.name == name }), provider.allowsTokens else {
            throw ClerkError.providerDisabled(name)
        }
        return provider
    }

    /// Returns the profile in a token with a valid signature, issuer, audience and time.
    ///
    /// Clerk's API has no parameter for a nonce (clerk-fapi, createSignIn), so a nonce in the token is not checked.
    func profile(_ strategy: String) throws -> ProviderProfile {
        let provider = try provider(strategy)
        let text = try context.form.required("token")
        let claims: JSONObject
        do {
            let keys = try JSONWebKeySet(provider.keys).verificationKeys
            let rules = TokenRules(
                issuers: [provider.issuer], audiences: try audiences(of: provider, in: text, keys), leeway: .seconds(60),
                requiredClaims: ["sub"])
            claims = try TokenVerifier(keys: keys, rules: rules).verify(text, at: context.now).claims
        } catch {
            throw strategy == "google_one_tap" ? ClerkError.badOneTapToken : ClerkError.badProviderToken(error.code.rawValue)
        }
        return try Self.profile(claims, provider: provider.name)
    }

    /// Returns the accepted audiences; a provider without a client id accepts any audience.
    private func audiences(
        of provider: IdentityProvider, in text: String, _ keys: [VerificationKey]
    ) throws(TokenError) -> TokenRules.Audience {
        guard provider.audiences.isEmpty else { return .oneOf(provider.audiences) }
        let own = try TokenVerifier.verifySignature(of: text, keys: keys).claims["aud"]
        guard let own else { return .notInTokens }
        return .oneOf(Set(own.array?.compactMap(\.string) ?? [own.string].compactMap(\.self)))
    }

    /// Returns the user's profile in a provider's claims.
    static func profile(_ claims: JSONObject, provider: String) throws -> ProviderProfile {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else { throw ClerkError.badProviderToken("missingClaim") }
        let email = claims["email"]?.string.flatMap { EmailAddress($0)?.text }
        let isVerified = claims["email_verified"]?.bool ?? (claims["email_verified"]?.string == "true")
        return ProviderProfile(
            provider: provider, subject: subject, email: email, isEmailVerified: isVerified,
            firstName: claims["given_name"]?.string,
            lastName: claims["family_name"]?.string, imageURL: claims["picture"]?.string)
    }
}
