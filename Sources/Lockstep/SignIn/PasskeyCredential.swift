/// A passkey, which the platform's own sheet finds and signs with.
///
/// The backend gives a challenge first: the step is `verify`, whose ``Challenge/passkeyOptions`` go to the sheet, and what the
/// sheet gives is the answer `.passkey`.
public struct PasskeyCredential: Credential {
    /// A passkey.
    public init() {}

    /// The capability `passkey`.
    public static var capability: Capability { .passkey }

    /// Itself.
    public func normalized() throws(AuthError) -> PasskeyCredential { self }
}

extension Credential where Self == PasskeyCredential {
    /// A passkey.
    public static var passkey: PasskeyCredential { PasskeyCredential() }
}
