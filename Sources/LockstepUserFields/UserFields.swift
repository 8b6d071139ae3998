@_exported public import LockstepPrimitives

/// The values of a user in a form that does not depend on the backend.
///
/// A user who was read, a user to create, and a user in a file stand on these values.
public struct UserFields: Sendable, Hashable {
    /// The email address; `nil` if the user has no email address.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailConfirmed = false
    /// The time when the email address was verified.
    ///
    /// In a user who was read, `nil` means that the backend does not return the time. In a user to create, `nil` means the time of
    /// the creation.
    public var emailConfirmedAt: Instant?
    /// The phone number in E.164 form; `nil` if the user has no phone number.
    public var phone: String?
    /// Whether the phone number is verified.
    public var isPhoneConfirmed = false
    /// The time when the phone number was verified, with the same meaning of `nil` as in ``emailConfirmedAt``.
    public var phoneConfirmedAt: Instant?
    /// The user's email addresses except the primary one.
    public var otherEmails: [DirectoryAddress] = []
    /// The user's phone numbers except the primary one.
    ///
    /// The list includes numbers that the user can use only as a second factor.
    public var otherPhones: [DirectoryAddress] = []
    /// Whether the user can sign in with the email address.
    ///
    /// The value is `nil` if the backend does not store this fact separately from the address. In a user to create, `nil` means: yes
    /// if the user has a password, or has no account at an identity provider.
    public var hasEmailIdentity: Bool?
    /// Whether the user can sign in with the phone number.
    ///
    /// The value is `nil` if the backend does not store this fact separately from the number. In a user to create, `nil` means yes.
    public var hasPhoneIdentity: Bool?
    /// The user name, which is unique in the project.
    public var username: String?
    /// The display name.
    public var displayName: String?
    /// The first name; `nil` if the backend does not store the first name separately.
    ///
    /// If a user to create has a first or a last name, ``displayName`` must be `nil` or consist of both names.
    public var firstName: String?
    /// The last name; `nil` if the backend does not store the last name separately.
    public var lastName: String?
    /// The URL of the user's photo.
    public var photoURL: String?
    /// Whether the user is anonymous.
    ///
    /// An anonymous user has no email address, phone number, password or account at an identity provider.
    public var isAnonymous = false
    /// Whether the user is disabled.
    ///
    /// A disabled user cannot sign in.
    public var isDisabled = false
    /// The time when the user's ban ends.
    ///
    /// The time is `nil` if the ban has no end, or if the user is not banned.
    public var bannedUntil: Instant?
    /// Whether the user is locked, for example after too many failed sign-ins.
    public var isLocked = false
    /// The tenant that the user belongs to; `nil` if the project has no tenants.
    public var tenant: String?
    /// Whether the user signs in with the identity provider of an organization (single sign-on).
    public var isSingleSignOn = false
    /// The role in the user's access tokens; `nil` for the backend's default.
    public var role: String?
    /// The audience in the user's access tokens; `nil` for the backend's default.
    public var audience: String?
    /// The metadata that the user can change.
    public var userMetadata: JSONObject = [:]
    /// The metadata that the user can read, but only a server can change.
    public var appMetadata: JSONObject = [:]
    /// The metadata that only a server can read and change.
    public var privateMetadata: JSONObject = [:]
    /// The user's id in another system; `nil` if the backend stores no such id.
    ///
    /// No two users of a backend have the same external id.
    public var externalID: String?
    /// The time when the user was created.
    public var createdAt: Instant?
    /// The time when the user was last changed.
    ///
    /// On some backends, a sign-in also changes this time.
    public var updatedAt: Instant?
    /// The time when the user last signed in.
    public var lastSignInAt: Instant?

    /// Creates a user without values.
    public init() {}
}

// A new value is one row here and its property above. What reads, writes, compares and refuses values follows from the row.
extension UserFields: UserFieldOwner {
    package static let fields: [UserField<UserFields>] = [
        .text("email", \.email, [.writable, .compared, .proven]),
        .flag("emailConfirmed", \.isEmailConfirmed, [.writable, .compared, .proven]),
        .text("phone", \.phone, [.writable, .compared, .proven]),
        .flag("phoneConfirmed", \.isPhoneConfirmed, [.writable, .compared, .proven]),
        .text("displayName", \.displayName, [.writable, .compared]),
        .text("photoURL", \.photoURL, [.writable, .compared]),
        .flag("disabled", \.isDisabled, [.writable, .compared]),
        .object("userMetadata", \.userMetadata, [.writable, .compared]),
        .object("appMetadata", \.appMetadata, [.writable, .compared, .proven]),
        .object("privateMetadata", \.privateMetadata, [.writable, .compared, .proven]),
        .text("externalID", \.externalID, [.compared, .proven]),
        .time("emailConfirmedAt", \.emailConfirmedAt, .proven),
        .time("phoneConfirmedAt", \.phoneConfirmedAt, .proven),
        .flag("anonymous", \.isAnonymous, .compared),
        .time("createdAt", \.createdAt, .compared),
        .time("lastSignInAt", \.lastSignInAt),
        .list("otherEmails", \.otherEmails, .compared),
        .list("otherPhones", \.otherPhones, .compared),
        .choice("emailIdentity", \.hasEmailIdentity, .compared),
        .choice("phoneIdentity", \.hasPhoneIdentity, .compared),
        .text("username", \.username, .compared),
        .text("firstName", \.firstName, .compared),
        .text("lastName", \.lastName, .compared),
        .time("bannedUntil", \.bannedUntil, .compared),
        .flag("locked", \.isLocked, .compared),
        .text("tenant", \.tenant),
        .flag("singleSignOn", \.isSingleSignOn, .compared),
        .text("role", \.role, [.compared, .proven]),
        .text("audience", \.audience, .compared),
        .time("updatedAt", \.updatedAt),
    ]
}
