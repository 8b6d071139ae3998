/// What a user presents to sign in.
///
/// The set is open: an adapter may bring a credential type of its own together with a strategy that takes it.
public protocol Credential: Sendable {
    /// The capability that an adapter has when it lists a strategy for this type.
    static var capability: Capability { get }

    /// The same credential in the one form that every adapter gets: addresses trimmed, empty values refused.
    ///
    /// - Throws: `invalidEmail`, `invalidPhone` or `invalidInput`, before any request is sent.
    func normalized() throws(AuthError) -> Self

    /// What names the account: the address or number. Repeating an interrupted sign-up is recognised by it.
    var identifier: String? { get }
}

extension Credential {
    /// No account is named.
    public var identifier: String? { nil }
}
