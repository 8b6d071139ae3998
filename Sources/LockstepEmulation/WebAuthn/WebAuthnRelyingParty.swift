internal import LockstepCrypto
internal import LockstepPrimitives

/// The site for which passkeys are made, with the checks of responses from authenticators.
package struct WebAuthnRelyingParty: Sendable {
    private let id: String
    private let origins: Set<ExactString>
    private let requiresVerification: Bool

    /// Creates a site.
    ///
    /// - Parameters:
    ///   - id: The host name of the pages, or a parent domain of it.
    ///   - origins: The origins of the pages from which responses are accepted.
    ///   - acceptsApps: Whether responses from the site's native apps are accepted. Their origin is `https://` and the host name,
    ///     whatever the origins of the pages are.
    ///   - requiresVerification: Whether the authenticator must have verified its user, for example by a PIN or a finger.
    package init(id: String, origins: some Sequence<String>, acceptsApps: Bool = false, requiresVerification: Bool) {
        self.id = id
        self.origins = Set(origins.lazy.map(\.exact)).union(acceptsApps ? ["https://\(id)".exact] : [])
        self.requiresVerification = requiresVerification
    }

    /// Checks the response to the creation of a passkey.
    ///
    /// - Parameters:
    ///   - response: The response of the authenticator.
    ///   - challenge: The challenge that was sent.
    /// - Returns: The passkey; `nil` if the response is invalid.
    package func verify(_ response: WebAuthnResponse, challenge: String) -> WebAuthnCredential? {
        guard isFitting(response, "webauthn.create", challenge) else { return nil }
        return WebAuthnCredential(response)
    }

    /// Checks the response to a sign-in with a passkey.
    ///
    /// - Parameters:
    ///   - response: The response of the authenticator.
    ///   - challenge: The challenge that was sent.
    ///   - known: The stored passkey.
    /// - Returns: The passkey with its new count; `nil` if the response is invalid.
    package func verify(
        _ response: WebAuthnResponse, challenge: String, against known: WebAuthnCredential, userID: String
    ) -> WebAuthnCredential? {
        guard response.id.exact == known.id.exact, isFitting(response, "webauthn.get", challenge) else { return nil }
        if let handle = response.userHandle, handle != Array(userID.utf8) { return nil }
        let signed = response.authenticatorData + HashFunction.sha256.digest(response.clientData)
        guard known.isValid(response.signature, for: signed) else { return nil }
        var credential = known
        credential.count = response.authenticatorData[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        return credential
    }

    private func isFitting(_ response: WebAuthnResponse, _ type: String, _ challenge: String) -> Bool {
        guard let client = try? JSON.parse(response.clientData), client["type"]?.string == type,
            client["challenge"]?.string?.exact == challenge.exact, let origin = client["origin"]?.string,
            origins.contains(origin.exact)
        else { return false }
        let data = response.authenticatorData
        // Bit 0 of the flags is the user's presence, bit 2 the verification (WebAuthn, section 6.1).
        let asked: UInt8 = requiresVerification ? 5 : 1
        guard data.count >= 37, data[32] & asked == asked else { return false }
        return Array(data.prefix(32)) == HashFunction.sha256.digest(id)
    }
}
