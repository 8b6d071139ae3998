public import Lockstep

/// The requirement for user verification on the device, for example with a fingerprint.
///
/// It is WebAuthn's `UserVerificationRequirement`.
public enum PasskeyUserVerification: String, Sendable, Hashable {
    case required, preferred, discouraged
}

/// A request for a new passkey, created from WebAuthn's options.
public struct NewPasskeyRequest: Sendable, Hashable {
    /// The relying party's id: a domain of the app.
    public let relyingParty: String
    /// The challenge.
    public let challenge: [UInt8]
    /// The user handle: the id of the user in the passkey.
    public let userID: [UInt8]
    /// The user's name in the dialog, such as the email address.
    public let userName: String
    /// The display name of the user.
    public let displayName: String
    /// The ids of the passkeys that the user already has.
    public let excluded: [[UInt8]]
    /// The requirement for user verification on the device.
    public let verification: PasskeyUserVerification

    /// Creates a request from the options of a model's request.
    ///
    /// - Parameter options: WebAuthn's `PublicKeyCredentialCreationOptions` as JSON.
    /// - Throws: `invalidResponse` if a required member is missing.
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

/// A request to sign with a passkey, created from WebAuthn's options.
public struct PasskeySignatureRequest: Sendable, Hashable {
    /// The relying party's id: a domain of the app.
    public let relyingParty: String
    /// The challenge.
    public let challenge: [UInt8]
    /// The ids of the passkeys that may sign; empty if any passkey may sign.
    public let allowed: [[UInt8]]
    /// The requirement for user verification on the device.
    public let verification: PasskeyUserVerification

    /// Creates a request from the options of a model's request.
    ///
    /// - Parameter options: WebAuthn's `PublicKeyCredentialRequestOptions` as JSON.
    /// - Throws: `invalidResponse` if a required member is missing.
    public init(_ options: JSON) throws(AuthError) {
        let options = options["publicKey"] ?? options
        relyingParty = try PasskeyOptions.text(options, "rpId", of: "the options")
        challenge = try PasskeyOptions.bytes(options, "challenge", of: "the options")
        allowed = try PasskeyOptions.descriptors(options["allowCredentials"])
        verification = PasskeyOptions.verification(options["userVerification"])
    }
}

/// Reads the members of WebAuthn's options.
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
        // WebAuthn's default. It also replaces a value of a later version.
        value?.string.flatMap(PasskeyUserVerification.init(rawValue:)) ?? .preferred
    }

    private static func missing(_ name: String, _ place: String) -> AuthError {
        AuthError(
            .invalidResponse, "The backend's options for the passkey lack \"\(name)\" of \(place). Check its passkey settings.")
    }
}
