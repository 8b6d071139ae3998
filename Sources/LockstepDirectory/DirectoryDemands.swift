public import Lockstep

/// The requirements of a project for its users, and the features that it offers them.
///
/// `nil` means unknown: the project does not show the setting. It does not mean "off" or "no limit".
public struct DirectoryDemands: Sendable, Hashable {
    /// The treatment of a value of a user.
    public enum Demand: String, Sendable, Hashable, CaseIterable {
        /// Every user must have it.
        case required
        /// A user may have it.
        case optional
        /// No user can have it.
        case off
    }

    /// A kind of second factor.
    public enum SecondFactor: String, Sendable, Hashable, CaseIterable {
        /// Codes from an authenticator app.
        case authenticatorApp
        /// Codes by SMS.
        case phone
        /// Backup codes.
        case backupCodes
    }

    /// The email address.
    public var email: Demand?
    /// The phone number.
    public var phone: Demand?
    /// The user name.
    public var username: Demand?
    /// The password.
    public var password: Demand?
    /// The first name.
    public var firstName: Demand?
    /// The last name.
    public var lastName: Demand?
    /// The enabled identity providers, by the names that are the same in every directory.
    public var providers: Set<IdentityProvider>?
    /// The enabled kinds of second factors.
    public var secondFactors: Set<SecondFactor>?
    /// Whether anonymous sign-in is enabled.
    public var allowsAnonymousUsers: Bool?
    /// Whether new users can sign up.
    ///
    /// An administrator can always create users.
    public var isSignUpOpen: Bool?
    /// Whether a user can sign in only after the email address was verified.
    public var requiresVerifiedEmail: Bool?
    /// Whether a user can sign in only after the phone number was verified.
    public var requiresVerifiedPhone: Bool?
    /// Whether several users may have the same email address.
    public var allowsSharedEmails: Bool?
    /// The maximum number of users in the project.
    public var userQuota: Int?
    /// The maximum number of emails per hour.
    public var mailsPerHour: Int?

    /// Creates requirements in which every value is unknown.
    public init() {}
}
