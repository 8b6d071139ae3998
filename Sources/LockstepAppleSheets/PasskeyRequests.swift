public import Lockstep

/// How much a passkey's user must verify themselves (WebAuthn, `UserVerificationRequirement`).
public enum PasskeyUserVerification: String, Sendable, Hashable {
    case required, preferred, discouraged
}

/// A request for a new passkey, read from the options of WebAuthn.
public struct NewPasskeyRequest: Sendable, Hashable {
    /// The relying party's id: a domain of the app.
    public let relyingParty: String
    /// The challenge.
    public let challenge: [UInt8]
    /// The user's handle.
    public let userID: [UInt8]
    /// The user's name, which the sheet shows.
    public let userName: String
    /// The user's name for people.
    public let displayName: String
    /// The ids of passkeys that the user has.
    public let excluded: [[UInt8]]
    /// The verification of the user.
    public let verification: PasskeyUserVerification

    /// Reads the options of a model's request.
    ///
    /// - Parameter options: `PublicKeyCredentialCreationOptions` as JSON.
    /// - Throws: `invalidResponse` if a member is missing.
    public init(_ options: JSON) throws(AuthError) {
        let options = options["publicKey"] ?? options
        relyingParty = try PasskeyOptions.text(options["rp"], "id", of: "rp")
        challenge = try PasskeyOptions.bytes(options, "challenge", of: "the options")
        userID = try PasskeyOptions.bytes(options["user"], "id", of: "user")
        userName = try PasskeyOptions.text(options["user"], "name", of: "user")
        displayName = options["user"]?["displayName"]?.string ?? userName
        excluded = try PasskeyOptions.descriptors(options["excludeCredentials"])
        verification = PasskeyOptions.verification(options["authenticatorSelection"]?["userVerification"])
    }
}

/// A request to sign with a passkey, read from the options of WebAuthn.
public struct PasskeySignatureRequest: Sendable, Hashable {
    /// The relying party's id: a domain of the app.
    public let relyingParty: String
    /// The challenge.
    public let challenge: [UInt8]
    /// The ids of the passkeys that may sign; empty for any.
    public let allowed: [[UInt8]]
    /// The verification of the user.
    public let verification: PasskeyUserVerification

    /// Reads the options of a model's request.
    ///
    /// - Parameter options: `PublicKeyCredentialRequestOptions` as JSON.
    /// - Throws: `invalidResponse` if a member is missing.
    public init(_ options: JSON) throws(AuthError) {
        let options = options["publicKey"] ?? options
        relyingParty = try PasskeyOptions.text(options, "rpId", of: "the options")
        challenge = try PasskeyOptions.bytes(options, "challenge", of: "the options")
        allowed = try PasskeyOptions.descriptors(options["allowCredentials"])
        verification = PasskeyOptions.verification(options["userVerification"])
    }
}

/// The members of the options of WebAuthn.
private enum PasskeyOptions {
    static func text(_ object: JSON?, _ name: String, of place: String) throws(AuthError) -> String {
        guard let text = object?[name]?.string, !text.isEmpty else { throw missing(name, place) }
        return text
    }

    static func bytes(_ object: JSON?, _ name: String, of place: String) throws(AuthError) -> [UInt8] {
        guard let text = object?[name]?.string, let bytes = Base64.decode(text, .url), !bytes.isEmpty else {
            throw missing(name, place)
        }
        return bytes
    }

    static func descriptors(_ list: JSON?) throws(AuthError) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        for descriptor in list?.array ?? [] { ids.append(try bytes(descriptor, "id", of: "a credential")) }
        return ids
    }

    static func verification(_ value: JSON?) -> PasskeyUserVerification {
        // The default of WebAuthn, also for a value of a later version.
        value?.string.flatMap(PasskeyUserVerification.init(rawValue:)) ?? .preferred
    }

    private static func missing(_ name: String, _ place: String) -> AuthError {
        AuthError(
            .invalidResponse, "The backend's options for the passkey lack \"\(name)\" of \(place). Check its passkey settings.")
    }
}
