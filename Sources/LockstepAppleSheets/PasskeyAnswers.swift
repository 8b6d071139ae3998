public import Lockstep

/// A new passkey from the system's dialog.
public struct NewPasskey: Sendable, Hashable {
    /// The passkey's id.
    public var id: [UInt8]
    /// The client data, in JSON.
    public var clientData: [UInt8]
    /// The attestation object.
    public var attestation: [UInt8]

    /// Creates a passkey.
    ///
    /// - Parameters:
    ///   - id: The passkey's id.
    ///   - clientData: The client data, in JSON.
    ///   - attestation: The attestation object.
    public init(id: [UInt8], clientData: [UInt8], attestation: [UInt8]) {
        (self.id, self.clientData, self.attestation) = (id, clientData, attestation)
    }

    /// The passkey in WebAuthn's JSON format (`RegistrationResponseJSON`).
    ///
    /// Pass this JSON to `submit(passkey:)` of a model.
    public var json: JSON {
        PasskeyAnswer.json(
            id,
            [
                "clientDataJSON": PasskeyAnswer.encoded(clientData), "attestationObject": PasskeyAnswer.encoded(attestation),
                "transports": ["internal"],
            ])
    }
}

/// A signature that a passkey has made in the system's dialog.
public struct PasskeySignature: Sendable, Hashable {
    /// The passkey's id.
    public var id: [UInt8]
    /// The client data, in JSON.
    public var clientData: [UInt8]
    /// The authenticator data.
    public var authenticatorData: [UInt8]
    /// The signature.
    public var signature: [UInt8]
    /// The user handle: the id of the user in the passkey.
    public var userID: [UInt8]

    /// Creates a signature.
    ///
    /// - Parameters:
    ///   - id: The passkey's id.
    ///   - clientData: The client data, in JSON.
    ///   - authenticatorData: The authenticator data.
    ///   - signature: The signature.
    ///   - userID: The user handle: the id of the user in the passkey.
    public init(id: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userID: [UInt8]) {
        (self.id, self.clientData, self.authenticatorData) = (id, clientData, authenticatorData)
        (self.signature, self.userID) = (signature, userID)
    }

    /// The signature in WebAuthn's JSON format (`AuthenticationResponseJSON`).
    ///
    /// Pass this JSON to `submit(passkey:)` of a model.
    public var json: JSON {
        var response: JSONObject = [
            "clientDataJSON": PasskeyAnswer.encoded(clientData), "authenticatorData": PasskeyAnswer.encoded(authenticatorData),
            "signature": PasskeyAnswer.encoded(signature),
        ]
        if !userID.isEmpty { response["userHandle"] = PasskeyAnswer.encoded(userID) }
        return PasskeyAnswer.json(id, response)
    }
}

/// The part of the JSON that both results share.
private enum PasskeyAnswer {
    static func json(_ id: [UInt8], _ response: JSONObject) -> JSON {
        [
            "id": encoded(id), "rawId": encoded(id), "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": [:], "response": .object(response),
        ]
    }

    static func encoded(_ bytes: [UInt8]) -> JSON { .string(Base64.encode(bytes, .url)) }
}
