@_exported public import LockstepPrimitives

/// An e-mail address or a number of a user.
public struct DirectoryAddress: Sendable, Hashable {
    /// The e-mail address, or the number in E.164 form.
    public var value: String
    /// Whether the user has verified it.
    public var isConfirmed: Bool
    /// When the user verified it, if the backend says so.
    public var confirmedAt: Instant?
    /// Whether it is the user's first one, which ``DirectoryUser/email`` or ``DirectoryUser/phone`` is.
    public var isPrimary: Bool
    /// Whether the address is reserved for a second factor, so that no user can sign in with it.
    public var isSecondFactor: Bool

    /// An address or a number.
    ///
    /// - Parameters:
    ///   - value: The address, or the number in E.164 form.
    ///   - isConfirmed: Whether the user has verified it.
    ///   - confirmedAt: When the user verified it.
    ///   - isPrimary: Whether it is the user's first one.
    ///   - isSecondFactor: Whether it is reserved for a second factor.
    public init(
        _ value: String, isConfirmed: Bool, confirmedAt: Instant? = nil, isPrimary: Bool = false, isSecondFactor: Bool = false
    ) {
        self.value = value
        self.isConfirmed = isConfirmed
        self.confirmedAt = confirmedAt
        self.isPrimary = isPrimary
        self.isSecondFactor = isSecondFactor
    }
}
