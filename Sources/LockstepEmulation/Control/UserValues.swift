public import LockstepPrimitives

/// The values of a user that a control route creates or changes; `nil` leaves a value as it is.
public struct UserValues: Sendable, Hashable {
    /// The id, if the backend lets the caller choose it.
    public var id: String?
    /// The address; an empty one removes it.
    public var email: String?
    /// Whether the address is verified.
    public var isEmailConfirmed: Bool?
    /// The number in E.164 form; an empty one removes it.
    public var phone: String?
    /// Whether the number is verified.
    public var isPhoneConfirmed: Bool?
    /// The password; the policy does not apply to it.
    public var password: Secret?
    /// The name to show; an empty one removes it.
    public var displayName: String?
    /// The address of a photo; an empty one removes it.
    public var photoURL: String?
    /// Whether sign-in is rejected.
    public var isDisabled: Bool?
    /// The complete metadata that the user may change.
    public var userMetadata: JSONObject?
    /// The complete metadata that only a server may change.
    public var appMetadata: JSONObject?
    /// The complete metadata that only a server may see.
    public var privateMetadata: JSONObject?

    /// Creates empty values.
    public init() {}

    static let body: BodySchema = [
        "id": .text, "email": .text, "emailConfirmed": .flag, "phone": .text, "phoneConfirmed": .flag, "password": .text,
        "displayName": .text, "photoURL": .text, "disabled": .flag, "userMetadata": .object, "appMetadata": .object,
        "privateMetadata": .object,
    ]

    init(_ body: Body) {
        id = body.text("id")
        email = body.text("email")
        isEmailConfirmed = body.flag("emailConfirmed")
        phone = body.text("phone")
        isPhoneConfirmed = body.flag("phoneConfirmed")
        password = body.text("password").map { Secret($0) }
        displayName = body.text("displayName")
        photoURL = body.text("photoURL")
        isDisabled = body.flag("disabled")
        userMetadata = body.object("userMetadata")
        appMetadata = body.object("appMetadata")
        privateMetadata = body.object("privateMetadata")
    }
}

/// An error that explains why a user's values cannot be stored.
public enum UserValueError: Error, Sendable, Hashable {
    /// The provider cannot store a value. The associated value is its name in the control routes.
    case unsupported(String)
    /// The request is not possible here. The associated value says why, and what to do.
    case unavailable(String)
    /// Another user already has the value. The associated value is its name in the control routes.
    case taken(String)
    /// The user's state does not allow the change. The associated value says why, and what to do.
    case conflict(String)
    /// The value is invalid. The associated values are its name and the expected form.
    case invalid(String, expected: String)
}
