public import LockstepPrimitives

/// What to change of a user; `nil` leaves a value as it is.
public struct DirectoryChanges: Sendable, Hashable {
    /// The address; it is valid at once, without a proof.
    public var email: String?
    /// `true` marks the address as proven.
    public var isEmailConfirmed: Bool?
    /// The number in E.164 form; it is valid at once.
    public var phone: String?
    /// `true` marks the number as proven.
    public var isPhoneConfirmed: Bool?
    /// The password.
    public var password: Secret?
    /// The name to show; an empty one removes it.
    public var displayName: String?
    /// The address of a photo; an empty one removes it.
    public var photoURL: String?
    /// Whether sign-in is refused.
    public var isDisabled: Bool?
    /// Members to set in what the user may change; `null` removes one.
    public var userMetadata: JSONObject = [:]
    /// Members to set in what only a server may change; `null` removes one.
    public var appMetadata: JSONObject = [:]

    /// Nothing.
    public init() {}
}
