internal import LockstepEmulation
internal import LockstepPrimitives

/// The options for an authenticator, and the check of its response.
struct WebAuthnCeremony {
    let settings: PasskeySettings

    private static let algorithms: [Int64] = [-7, -35, -36, -257, -258, -259, -37, -38, -39, -8]

    private func creation(challenge: String, _ user: User) -> JSONObject {
        let name = user.email.isEmpty ? user.phone : user.email
        let display = user.userMetadata?["name"]?.string ?? user.userMetadata?["full_name"]?.string ?? name
        return [
            "rp": ["name": .string(settings.displayName), "id": .string(settings.relyingParty)],
            "user": [
                "name": .string(name), "displayName": .string(display.isEmpty ? name : display),
                "id": .string(Base64.encode(Array(user.id.utf8), .url)),
            ],
            "challenge": .string(challenge),
            "pubKeyCredParams": .array(Self.algorithms.map { ["type": "public-key", "alg": .int($0)] }), "timeout": 300_000,
        ]
    }

    func factorCreation(challenge: String, _ user: User) -> JSONObject {
        var options = creation(challenge: challenge, user)
        options["authenticatorSelection"] = [:]
        return options
    }

    func factorRequest(challenge: String, _ credential: JSONObject?) -> JSONObject {
        var options: JSONObject = [
            "challenge": .string(challenge), "timeout": 300_000, "rpId": .string(settings.relyingParty),
        ]
        if let known = credential.flatMap({ WebAuthnCredential($0) }) {
            var descriptor: JSONObject = ["type": "public-key", "id": .string(known.id)]
            if !known.transports.isEmpty { descriptor["transports"] = .array(known.transports.map(JSON.string)) }
            options["allowCredentials"] = [.object(descriptor)]
        }
        return options
    }

    func passkeyCreation(challenge: String, _ user: User, excluding known: [String]) -> JSONObject {
        var options = creation(challenge: challenge, user)
        if !known.isEmpty {
            options["excludeCredentials"] = .array(known.map { ["type": "public-key", "id": .string($0)] })
        }
        options["authenticatorSelection"] = ["residentKey": "required", "userVerification": "preferred"]
        options["attestation"] = "none"
        return options
    }

    func passkeyRequest(challenge: String) -> JSONObject {
        [
            "challenge": .string(challenge), "timeout": 300_000, "rpId": .string(settings.relyingParty),
            "userVerification": "preferred",
        ]
    }

    /// The check of responses.
    ///
    /// The server requests user verification if it is available ("preferred"), and accepts responses without it.
    var relyingParty: WebAuthnRelyingParty {
        WebAuthnRelyingParty(id: settings.relyingParty, origins: settings.origins, requiresVerification: false)
    }
}
