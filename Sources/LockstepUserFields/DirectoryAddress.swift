@_exported public import LockstepPrimitives

/// An email address or phone number of a user.
public struct DirectoryAddress: Sendable, Hashable {
    /// The email address, or the phone number in E.164 form.
    public var value: String
    /// Whether the user has verified this address or number.
    public var isConfirmed: Bool
    /// The time when the user verified this address or number; `nil` if the backend does not return the time.
    public var confirmedAt: Instant?
    /// Whether this is the user's primary address or number: ``DirectoryUser/email`` or ``DirectoryUser/phone``.
    public var isPrimary: Bool
    /// Whether this address or number is only a second factor.
    ///
    /// If so, no user can sign in with this address or number.
    public var isSecondFactor: Bool

    /// Creates an email address or phone number.
    ///
    /// - Parameters:
    ///   - value: The email address, or the phone number in E.164 form.
    ///   - isConfirmed: Whether the user has verified the address or number.
    ///   - confirmedAt: The time when the user verified the address or number.
    ///   - isPrimary: Whether this is the user's primary address or number.
    ///   - isSecondFactor: Whether the address or number is only a second factor.
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

extension DirectoryAddress: UserFieldOwner {
    package init() { self.init("", isConfirmed: false) }

    package static let fields: [UserField<DirectoryAddress>] = [
        .needed("value", \.value), .flag("confirmed", \.isConfirmed), .time("confirmedAt", \.confirmedAt),
        .flag("secondFactor", \.isSecondFactor),
    ]
}
