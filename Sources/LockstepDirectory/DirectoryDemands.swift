public import Lockstep

/// The requirements and limits for the users of a project.
///
/// `nil` means unknown: the backend does not return the setting. It does not mean "off" or "no limit".
public struct DirectoryDemands: Sendable, Hashable {
    /// Whether a value of a user is required, optional or impossible.
    public enum Demand: String, Sendable, Hashable, CaseIterable {
        /// Every user must have the value.
        case required
        /// A user may have the value.
        case optional
        /// No user can have the value.
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

    /// Whether a user must have an email address.
    public var email: Demand?
    /// Whether a user must have a phone number.
    public var phone: Demand?
    /// Whether a user must have a user name.
    public var username: Demand?
    /// Whether a user must have a password.
    public var password: Demand?
    /// Whether a user must have a first name.
    public var firstName: Demand?
    /// Whether a user must have a last name.
    public var lastName: Demand?
    /// The identity providers that the project has enabled.
    ///
    /// All directories use the same names for providers.
    public var providers: Set<IdentityProvider>?
    /// The kinds of second factors that the project has enabled.
    public var secondFactors: Set<SecondFactor>?
    /// Whether anonymous sign-in is enabled.
    public var allowsAnonymousUsers: Bool?
    /// Whether new users can sign up.
    ///
    /// An administrator can always create users.
    public var isSignUpOpen: Bool?
    /// Whether a user must verify the email address before signing in.
    public var requiresVerifiedEmail: Bool?
    /// Whether a user must verify the phone number before signing in.
    public var requiresVerifiedPhone: Bool?
    /// Whether several users may have the same email address.
    public var allowsSharedEmails: Bool?
    /// The maximum number of users in the project.
    public var userQuota: Int?
    /// The maximum number of emails per hour.
    public var mailsPerHour: Int?

    /// Creates settings in which every value is unknown.
    public init() {}
}
