internal import LockstepCrypto
internal import LockstepPrimitives

/// The site that passkeys are made for, and the check of authenticators' responses to it.
package struct WebAuthnRelyingParty: Sendable {
    private let id: String
    private let origins: Set<String>
    private let requiresVerification: Bool

    /// A site.
    ///
    /// - Parameters:
    ///   - id: The host's name, or a domain above it.
    ///   - origins: The pages whose responses are taken.
    ///   - requiresVerification: Whether the authenticator must have verified its user, by a PIN or a finger.
    package init(id: String, origins: some Sequence<String>, requiresVerification: Bool) {
        self.id = id
        self.origins = Set(origins)
        self.requiresVerification = requiresVerification
    }

    /// The credential of a valid creation.
    package func verify(_ response: WebAuthnResponse, challenge: String) -> WebAuthnCredential? {
        guard isFitting(response, "webauthn.create", challenge) else { return nil }
        return WebAuthnCredential(response)
    }

    /// The credential after a valid assertion, with its new count.
    package func verify(
        _ response: WebAuthnResponse, challenge: String, against known: WebAuthnCredential, userID: String
    ) -> WebAuthnCredential? {
        guard response.id == known.id, isFitting(response, "webauthn.get", challenge) else { return nil }
        if let handle = response.userHandle, handle != Array(userID.utf8) { return nil }
        let signed = response.authenticatorData + HashFunction.sha256.digest(response.clientData)
        guard known.isValid(response.signature, for: signed) else { return nil }
        var credential = known
        credential.count = response.authenticatorData[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        return credential
    }

    private func isFitting(_ response: WebAuthnResponse, _ type: String, _ challenge: String) -> Bool {
        guard let client = try? JSON.parse(response.clientData), client["type"]?.string == type,
            client["challenge"]?.string == challenge, let origin = client["origin"]?.string, origins.contains(origin)
        else { return false }
        let data = response.authenticatorData
        // Bit 0 of the flags is the user's presence, bit 2 the verification (WebAuthn, section 6.1).
        let asked: UInt8 = requiresVerification ? 5 : 1
        guard data.count >= 37, data[32] & asked == asked else { return false }
        return Array(data.prefix(32)) == HashFunction.sha256.digest(id)
    }
}
