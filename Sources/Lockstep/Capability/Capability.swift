/// A feature that an adapter may support.
///
/// An adapter does not declare its capabilities. The capabilities follow from the strategies that the adapter lists and
/// the features that it provides.
///
/// ```swift
/// if client.capabilities.contains(.passkey) { print("show the passkey button") }
/// ```
public struct Capability: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates a capability.
    ///
    /// An adapter that adds its own type of credential also creates a capability for it.
    ///
    /// - Parameter rawValue: The stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The stable name.
    public var description: String { rawValue }

    // MARK: Ways to sign in

    /// Sign-in with an email address and a password.
    public static let password = Capability("password")
    /// Sign-in with a link that the backend sends by email.
    public static let emailLinkSignIn = Capability("emailLinkSignIn")
    /// Sign-in with a code that the backend sends by email.
    public static let emailCodeSignIn = Capability("emailCodeSignIn")
    /// Sign-in with a code that the backend sends by SMS.
    public static let phoneCode = Capability("phoneCode")
    /// Sign-in as an anonymous user, without a credential.
    public static let anonymous = Capability("anonymous")
    /// Sign-in with an ID token from an identity provider.
    public static let idToken = Capability("idToken")
    /// Sign-in on an identity provider's web page.
    public static let oauth = Capability("oauth")
    /// Sign-in with a ticket from the app's server.
    public static let ticket = Capability("ticket")
    /// Sign-in with a passkey.
    public static let passkey = Capability("passkey")

    // MARK: Verification and steps

    /// Verification of an email address or a phone number with a code.
    public static let confirmationCode = Capability("confirmationCode")
    /// Verification of an email address with a link.
    public static let confirmationLink = Capability("confirmationLink")
    /// A check whether the user has completed a verification elsewhere.
    public static let poll = Capability("poll")
    /// Sign-in with a second factor.
    public static let secondFactor = Capability("secondFactor")
    /// Sign-in with a backup code in place of a second factor.
    public static let backupCode = Capability("backupCode")
    /// A step in which the user must set a new password to sign in.
    public static let newPasswordStep = Capability("newPasswordStep")
    /// A step in which the user must enter further fields to sign up.
    public static let requirements = Capability("requirements")

    /// A step in which the user must complete a captcha that the backend requires.
    public static let captcha = Capability("captcha")

    // MARK: Account

    /// The user can replace a forgotten password.
    public static let passwordReset = Capability("passwordReset")
    /// The user can change the display name.
    public static let displayName = Capability("displayName")
    /// The user can change the URL of the photo.
    public static let photo = Capability("photo")
    /// The user can upload a photo.
    public static let photoUpload = Capability("photoUpload")
    /// The user can change the metadata of the account.
    public static let userMetadata = Capability("userMetadata")
    /// The user can change the password.
    public static let passwordChange = Capability("passwordChange")
    /// The user can change the email address.
    public static let emailChange = Capability("emailChange")
    /// The user can add and remove identities.
    public static let linking = Capability("linking")
    /// The user can add and remove second factors.
    public static let factorEnrolment = Capability("factorEnrolment")
    /// The user can create new backup codes.
    public static let backupCodeRenewal = Capability("backupCodeRenewal")
    /// The user can list and remove passkeys.
    public static let passkeyManagement = Capability("passkeyManagement")
    /// The user can rename passkeys.
    public static let passkeyRenaming = Capability("passkeyRenaming")
    /// The user can list organizations, and make one of them active in the session.
    public static let organizations = Capability("organizations")
    /// The user can sign in again for a sensitive call.
    public static let reauthentication = Capability("reauthentication")
    /// The user can delete the account.
    public static let accountDeletion = Capability("accountDeletion")

    // MARK: Sessions

    /// The user can end all other sessions of the account.
    public static let signOutOthers = Capability("signOutOthers")
    /// The user can end all sessions of the account.
    public static let signOutEverywhere = Capability("signOutEverywhere")

    /// All capabilities that this version defines, in the order in which reports show them.
    public static let all: [Capability] = [
        .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey,
        .confirmationCode, .confirmationLink, .poll, .secondFactor, .backupCode, .newPasswordStep, .requirements,
        .captcha, .passwordReset, .displayName, .photo, .photoUpload, .userMetadata, .passwordChange, .emailChange, .linking,
        .factorEnrolment,
        .backupCodeRenewal, .passkeyManagement, .passkeyRenaming, .organizations, .reauthentication,
        .accountDeletion, .signOutOthers, .signOutEverywhere,
    ]
}
