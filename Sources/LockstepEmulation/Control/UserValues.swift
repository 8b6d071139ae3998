public import LockstepPrimitives

/// The values of a user that a control route creates or changes; `nil` leaves a value as it is.
public struct UserValues: Sendable, Hashable {
    /// The id, where the backend lets the caller choose it.
    public var id: String?
    /// The address; an empty one removes it.
    public var email: String?
    /// Whether the address is verified.
    public var isEmailConfirmed: Bool?
    /// The number in E.164 form; an empty one removes it.
    public var phone: String?
    /// Whether the number is verified.
    public var isPhoneConfirmed: Bool?
    /// The password, which no policy checks.
    public var password: Secret?
    /// The name to show; an empty one removes it.
    public var displayName: String?
    /// The address of a photo; an empty one removes it.
    public var photoURL: String?
    /// Whether sign-in is rejected.
    public var isDisabled: Bool?
    /// All of what the user may change of their own data.
    public var userMetadata: JSONObject?
    /// All of what only a server may change.
    public var appMetadata: JSONObject?
    /// All of what only a server may see.
    public var privateMetadata: JSONObject?

    /// Nothing.
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

/// Why a user's values cannot be kept.
public enum UserValueError: Error, Sendable, Hashable {
    /// The provider has no place for a value; its name as the control routes have it.
    case unsupported(String)
    /// What was asked for cannot be had here; a sentence that says why, and what to do.
    case unavailable(String)
    /// Another user has the value; its name as the control routes have it.
    case taken(String)
    /// The user's state does not allow it now; a sentence that says why, and what to do.
    case conflict(String)
    /// The value is none of its kind; its name, and what is expected.
    case invalid(String, expected: String)
}
