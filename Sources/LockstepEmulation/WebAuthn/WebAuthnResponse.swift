package import LockstepPrimitives

/// A response of an authenticator, in the JSON of browsers.
package struct WebAuthnResponse: Sendable {
    /// The id of the passkey, in base 64 for URLs.
    package var id: String
    var clientData: [UInt8]
    var authenticatorData: [UInt8]
    var signature: [UInt8] = []
    /// The id of the user, if the authenticator stores it.
    package var userHandle: [UInt8]?
    var transports: [String] = []

    /// Reads the response to `navigator.credentials.create`; `nil` if something is missing.
    package init?(creation json: JSON) {
        guard let (id, client) = Self.common(json), let response = json["response"],
            let attestation = response["attestationObject"]?.string.flatMap({ Base64.decode($0, .url) })
        else { return nil }
        var bytes = attestation[...]
        guard let object = CBOR.read(&bytes), let data = object[.text("authData")]?.bytes else { return nil }
        self.id = id
        clientData = client
        authenticatorData = data
        transports = response["transports"]?.array?.compactMap(\.string) ?? []
    }

    /// Reads the response to `navigator.credentials.get`; `nil` if something is missing.
    package init?(assertion json: JSON) {
        guard let (id, client) = Self.common(json), let response = json["response"],
            let data = response["authenticatorData"]?.string.flatMap({ Base64.decode($0, .url) }),
            let signature = response["signature"]?.string.flatMap({ Base64.decode($0, .url) })
        else { return nil }
        self.id = id
        clientData = client
        authenticatorData = data
        self.signature = signature
        userHandle = response["userHandle"]?.string.flatMap { $0.isEmpty ? nil : Base64.decode($0, .url) }
    }

    private static func common(_ json: JSON) -> (String, [UInt8])? {
        guard let id = json["id"]?.string, !id.isEmpty, Base64.decode(id, .url) != nil, json["type"]?.string == "public-key",
            let client = json["response"]?["clientDataJSON"]?.string.flatMap({ Base64.decode($0, .url) })
        else { return nil }
        return (id, client)
    }
}
