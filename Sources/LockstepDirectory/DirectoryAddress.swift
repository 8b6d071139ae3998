@_exported public import LockstepPrimitives

/// An email address or phone number of a user.
public struct DirectoryAddress: Sendable, Hashable {
    /// The email address, or the phone number in E.164 form.
    public var value: String
    /// Whether the user has verified it.
    public var isConfirmed: Bool
    /// The time when the user verified it; `nil` if the backend does not return it.
    public var confirmedAt: Instant?
    /// Whether it is the primary one, as in ``DirectoryUser/email`` or ``DirectoryUser/phone``.
    public var isPrimary: Bool
    /// Whether it is reserved for a second factor, so that no user can sign in with it.
    public var isSecondFactor: Bool

    /// Creates an email address or phone number.
    ///
    /// - Parameters:
    ///   - value: The email address, or the phone number in E.164 form.
    ///   - isConfirmed: Whether the user has verified it.
    ///   - confirmedAt: The time when the user verified it.
    ///   - isPrimary: Whether it is the user's primary one.
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
