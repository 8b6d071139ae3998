/// Nothing at all: a guest's account.
public struct AnonymousCredential: Credential {
    /// A guest.
    public init() {}

    /// The capability `anonymous`.
    public static var capability: Capability { .anonymous }

    /// Itself.
    public func normalized() throws(AuthError) -> AnonymousCredential { self }
}

extension Credential where Self == AnonymousCredential {
    /// A guest's account.
    public static var anonymous: AnonymousCredential { AnonymousCredential() }
}
