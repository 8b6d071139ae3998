/// Something that an adapter may be able to do.
///
/// A capability is never declared by hand: an adapter has it when it lists the strategy or provides the feature behind it.
public struct Capability: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// A capability by its name; adapters with credentials of their own make theirs so.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The stable name.
    public var description: String { rawValue }

    // MARK: Ways to sign in

    /// E-mail and password.
    public static let password = Capability("password")
    /// A link by e-mail.
    public static let emailLinkSignIn = Capability("emailLinkSignIn")
    /// A code by e-mail.
    public static let emailCodeSignIn = Capability("emailCodeSignIn")
    /// A code by SMS.
    public static let phoneCode = Capability("phoneCode")
    /// A guest's account.
    public static let anonymous = Capability("anonymous")
    /// The ID token of an identity provider.
    public static let idToken = Capability("idToken")
    /// A round trip through an identity provider's pages.
    public static let oauth = Capability("oauth")
    /// A ticket that a server has made.
    public static let ticket = Capability("ticket")
    /// A passkey.
    public static let passkey = Capability("passkey")

    // MARK: Proofs and steps

    /// A code proves an address.
    public static let confirmationCode = Capability("confirmationCode")
    /// A link proves an address.
    public static let confirmationLink = Capability("confirmationLink")
    /// A proof given elsewhere can be asked for.
    public static let poll = Capability("poll")
    /// A second factor at sign-in.
    public static let secondFactor = Capability("secondFactor")
    /// A backup code as second factor.
    public static let backupCode = Capability("backupCode")
    /// A sign-in that requires a new password.
    public static let newPasswordStep = Capability("newPasswordStep")
    /// A sign-up that asks for further fields.
    public static let requirements = Capability("requirements")

    /// A captcha that the backend asks for.
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
    /// The address can be changed.
    public static let emailChange = Capability("emailChange")
    /// Identities can be added and removed.
    public static let linking = Capability("linking")
    /// Second factors can be added and removed.
    public static let factorEnrolment = Capability("factorEnrolment")
    /// New backup codes can be made.
    public static let backupCodeRenewal = Capability("backupCodeRenewal")
    /// Passkeys can be listed and removed.
    public static let passkeyManagement = Capability("passkeyManagement")
    /// Passkeys can be renamed.
    public static let passkeyRenaming = Capability("passkeyRenaming")
    /// The user's organizations can be listed, and one of them made the session's active one.
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

    /// Every capability that this version names, in the order in which they are shown.
    public static let all: [Capability] = [
        .password, .emailLinkSignIn, .emailCodeSignIn, .phoneCode, .anonymous, .idToken, .oauth, .ticket, .passkey,
        .confirmationCode, .confirmationLink, .poll, .secondFactor, .backupCode, .newPasswordStep, .requirements,
        .captcha, .passwordReset, .displayName, .photo, .photoUpload, .userMetadata, .passwordChange, .emailChange, .linking,
        .factorEnrolment,
        .backupCodeRenewal, .passkeyManagement, .passkeyRenaming, .organizations, .reauthentication,
        .accountDeletion, .signOutOthers, .signOutEverywhere,
    ]
}
