public import LockstepPasswords
public import LockstepPrimitives
internal import LockstepUserFields

/// The values of a user that a control route creates or changes.
///
/// A property that is `nil` leaves the stored value unchanged.
///
/// ```swift
/// var values = UserValues()
/// values.email = "ada@example.com"
/// values.password = "Correct-Horse-1"
/// let user = try await server.emulator.admin.make(values)
/// print(user.id)
/// ```
public struct UserValues: Sendable, Hashable {
    /// The id of the user.
    ///
    /// Only some backends let the caller choose the id.
    public var id: String?
    /// The email address.
    ///
    /// An empty string removes the stored value.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed: Bool?
    /// The phone number in E.164 form.
    ///
    /// An empty string removes the stored value.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed: Bool?
    /// The password.
    ///
    /// The backend does not apply its password policy.
    public var password: Secret?
    /// The display name.
    ///
    /// An empty string removes the stored value.
    public var displayName: String?
    /// The URL of the user's photo.
    ///
    /// An empty string removes the stored value.
    public var photoURL: String?
    /// Whether the user is disabled, so that sign-in is rejected.
    public var isDisabled: Bool?
    /// All metadata that the user can change.
    ///
    /// The new metadata replaces the stored metadata.
    public var userMetadata: JSONObject?
    /// All metadata that only a server can change.
    ///
    /// The new metadata replaces the stored metadata.
    public var appMetadata: JSONObject?
    /// All metadata that only a server can read.
    ///
    /// The new metadata replaces the stored metadata.
    public var privateMetadata: JSONObject?

    /// Creates an empty set of values, which changes nothing.
    public init() {}

    static let body = BodySchema(UserFields.fields.filter { $0.use.contains(.writable) })
        .adding(["id": .text, "password": .text])

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

extension UserValues {
    /// Rejects values that contradict each other on every provider, as a seed does.
    ///
    /// - Parameter user: The user whose values change; `nil` for a new user.
    /// - Throws: ``UserValueError/invalid(_:expected:)``.
    func check(changing user: ControlledUser?) throws(UserValueError) {
        if password?.isEmpty == true { throw .invalid("password", expected: "at least one character") }
        let confirmations = [
            ("emailConfirmed", isEmailConfirmed, "email", email ?? user?.email),
            ("phoneConfirmed", isPhoneConfirmed, "phone", phone ?? user?.phone),
        ]
        for (name, isConfirmed, owner, value) in confirmations where isConfirmed == true && (value ?? "").isEmpty {
            throw .invalid(name, expected: "a user with \"\(owner)\"")
        }
    }
}

/// The reason why the values of a user cannot be stored.
public enum UserValueError: Error, Sendable, Hashable {
    /// The provider cannot store a value. The text is the value's name in the control routes.
    case unsupported(String)
    /// The request is not possible on this emulator.
    ///
    /// The text says why, and what to do.
    case unavailable(String)
    /// Another user already has the value. The text is the value's name in the control routes.
    case taken(String)
    /// The state of the user does not allow the change.
    ///
    /// The text says why, and what to do.
    case conflict(String)
    /// A value is invalid.
    ///
    /// The texts are the name of the value, and a description of a valid value.
    case invalid(String, expected: String)
}

extension UserValueError {
    /// Creates the error for a new password that the provider's algorithm does not accept.
    public init(_ error: PasswordError) { self = .unavailable("\(error.message) Choose another password.") }
}
