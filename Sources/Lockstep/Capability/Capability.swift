/// A feature that an adapter may support.
///
/// Capabilities are never declared by hand. An adapter has a capability if it lists the strategy or provides the feature
/// behind it.
///
/// ```swift
/// if client.capabilities.contains(.passkey) { print("show the passkey button") }
/// ```
public struct Capability: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates a capability.
    ///
    /// Adapters with their own credentials create their capabilities with it.
    ///
    /// - Parameter rawValue: The stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The stable name.
    public var description: String { rawValue }

    // MARK: Ways to sign in

    /// Email and password.
    public static let password = Capability("password")
    /// A link by email.
    public static let emailLinkSignIn = Capability("emailLinkSignIn")
    /// A code by email.
    public static let emailCodeSignIn = Capability("emailCodeSignIn")
    /// A code by SMS.
    public static let phoneCode = Capability("phoneCode")
    /// An anonymous account.
    public static let anonymous = Capability("anonymous")
    /// An ID token from an identity provider.
    public static let idToken = Capability("idToken")
    /// A sign-in on an identity provider's web page.
    public static let oauth = Capability("oauth")
    /// A ticket from a server.
    public static let ticket = Capability("ticket")
    /// A passkey.
    public static let passkey = Capability("passkey")

    // MARK: Proofs and steps

    /// A code verifies an email address or phone number.
    public static let confirmationCode = Capability("confirmationCode")
    /// A link verifies an email address.
    public static let confirmationLink = Capability("confirmationLink")
    /// The client can check whether the user completed a verification elsewhere.
    public static let poll = Capability("poll")
    /// A second factor at sign-in.
    public static let secondFactor = Capability("secondFactor")
    /// A backup code as second factor.
    public static let backupCode = Capability("backupCode")
    /// A sign-in that requires a new password.
    public static let newPasswordStep = Capability("newPasswordStep")
    /// A sign-up that requires further fields.
    public static let requirements = Capability("requirements")

    /// A captcha that the backend requires.
    public static let captcha = Capability("captcha")

    // MARK: Account

    /// A forgotten password can be replaced.
    public static let passwordReset = Capability("passwordReset")
    /// The name can be changed.
    public static let displayName = Capability("displayName")
    /// The photo can be changed.
    public static let photo = Capability("photo")
    /// A photo can be uploaded.
    public static let photoUpload = Capability("photoUpload")
    /// The user's own metadata can be changed.
    public static let userMetadata = Capability("userMetadata")
    /// The password can be changed.
    public static let passwordChange = Capability("passwordChange")
    /// The email address can be changed.
    public static let emailChange = Capability("emailChange")
    /// Identities can be added and removed.
    public static let linking = Capability("linking")
    /// Second factors can be added and removed.
    public static let factorEnrolment = Capability("factorEnrolment")
    /// New backup codes can be created.
    public static let backupCodeRenewal = Capability("backupCodeRenewal")
    /// Passkeys can be listed and removed.
    public static let passkeyManagement = Capability("passkeyManagement")
    /// Passkeys can be renamed.
    public static let passkeyRenaming = Capability("passkeyRenaming")
    /// The user's organizations can be listed, and one of them can be set as the session's active one.
    public static let organizations = Capability("organizations")
    /// The sign-in can be renewed for a sensitive call.
    public static let reauthentication = Capability("reauthentication")
    /// The user can delete the account.
    public static let accountDeletion = Capability("accountDeletion")

    // MARK: Sessions

    /// The user's other sessions can be ended.
    public static let signOutOthers = Capability("signOutOthers")
    /// All sessions of the user can be ended.
    public static let signOutEverywhere = Capability("signOutEverywhere")

    /// Every capability that this version names, in display order.
    public static let all: [Capability] = [
        .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey,
        .confirmationCode, .confirmationLink, .poll, .secondFactor, .backupCode, .newPasswordStep, .requirements,
        .captcha, .passwordReset, .displayName, .photo, .photoUpload, .userMetadata, .passwordChange, .emailChange, .linking,
        .factorEnrolment,
        .backupCodeRenewal, .passkeyManagement, .passkeyRenaming, .organizations, .reauthentication,
        .accountDeletion, .signOutOthers, .signOutEverywhere,
    ]
}
