internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The routes about the server itself: its state, its address, and the keys with which it signs.
struct ServerRoutes {
    let context: RequestContext

    /// The path with which tests pause background functions, as rules-unit-testing does (firebase-tools,
    /// `src/emulator/hub.ts`).
    static let triggers = "/functions/"

    /// `GET /`.
    func root() -> JSON {
        [
            "authEmulator": [
                "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite", "apiSpec": "/emulator/openapi.json",
            ]
        ]
    }

    /// `GET /emulators` of the hub of Firebase's Emulator Suite, here on the emulator's own port.
    func emulators() -> JSON { EmulatorHub(context.state).emulators }

    /// Pauses background functions, or lets them continue.
    func setTriggers(_ isOn: Bool) -> EmulatorResponse {
        guard context.settings.functionsEmulator != nil else {
            return .json(["error": "There is no functions emulator: the setting functionsEmulator names one."], status: 400)
        }
        context.state.change { $0.pausesFunctions = !isOn }
        return .json(["enabled": .bool(isOn)])
    }

    /// Returns the public part of the signing key, as a JWK set.
    func keys() throws -> EmulatorResponse { try published { JSONWebKeySet(publishing: [$0]).json } }

    /// Returns the public part of the signing key, as a certificate.
    func certificates() throws -> EmulatorResponse { try published(Certificate.document) }

    private func published(_ document: (SigningKey) throws -> JSON) throws -> EmulatorResponse {
        guard context.isStrict else {
            throw APIError.notImplemented(
                "identitytoolkit.getSessionCookiePublicKeys is not implemented in the Auth Emulator.")
        }
        let key = try context.value(of: context.state.signingKey)
        return .json(try document(key)).with("Cache-Control", "public, max-age=3600")
    }
}
