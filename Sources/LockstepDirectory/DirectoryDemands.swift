public import Lockstep

/// What a project asks of its users, and what it offers them.
///
/// `nil` is what the project does not show: unknown, and not the same as "off" or "no limit".
public struct DirectoryDemands: Sendable, Hashable {
    /// How a project treats a value of its users.
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
        /// Codes of an app.
        case authenticatorApp
        /// Codes by text message.
        case phone
        /// Codes for use in an emergency.
        case backupCodes
    }

    /// An e-mail address.
    public var email: Demand?
    /// A number.
    public var phone: Demand?
    /// A user name.
    public var username: Demand?
    /// A password.
    public var password: Demand?
    /// A first name.
    public var firstName: Demand?
    /// A last name.
    public var lastName: Demand?
    /// The identity providers that are on, by the names that they have on every directory.
    public var providers: Set<IdentityProvider>?
    /// The kinds of second factor that are on.
    public var secondFactors: Set<SecondFactor>?
    /// Whether guests are on.
    public var allowsAnonymousUsers: Bool?
    /// Whether new users can sign up.
    ///
    /// An administrator makes users all the same.
    public var isSignUpOpen: Bool?
    /// Whether a user signs in only after the address was verified.
    public var requiresVerifiedEmail: Bool?
    /// Whether a user signs in only after the number was verified.
    public var requiresVerifiedPhone: Bool?
    /// Whether several users may have the same address.
    public var allowsSharedEmails: Bool?
    /// The most users that the project can have.
    public var userQuota: Int?
    /// The most mails that the project sends in an hour.
    public var mailsPerHour: Int?

    /// Nothing is known.
    public init() {}
}
