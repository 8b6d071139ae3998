/// A kind of data that some directories can write, and others cannot.
public struct DirectoryFeature: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the feature, which never changes.
    public let rawValue: String

    /// Creates a feature.
    ///
    /// - Parameter rawValue: The name of the feature.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the feature.
    public var description: String { rawValue }

    /// A user can be created with an id that the caller chooses.
    public static let chosenIDs = DirectoryFeature(rawValue: "chosenIDs")
    /// A user can be created with a password hash.
    public static let passwordHashes = DirectoryFeature(rawValue: "passwordHashes")
    /// The directory can mark an email address or phone number as verified or unverified.
    public static let confirmation = DirectoryFeature(rawValue: "confirmation")
    /// A user can be created with the time when an email address or phone number was verified.
    public static let confirmationTimes = DirectoryFeature(rawValue: "confirmationTimes")
    /// A user can be disabled.
    ///
    /// A disabled user cannot sign in.
    public static let disabling = DirectoryFeature(rawValue: "disabling")
    /// A ban can have an end time.
    public static let banEnds = DirectoryFeature(rawValue: "banEnds")
    /// A user can be created in the locked state, as after too many failed sign-ins.
    public static let locks = DirectoryFeature(rawValue: "locks")
    /// Users can have a phone number.
    public static let phones = DirectoryFeature(rawValue: "phones")
    /// An unverified phone number can be stored without becoming a way to sign in.
    public static let unprovenPhones = DirectoryFeature(rawValue: "unprovenPhones")
    /// Users can have more than one email address and phone number.
    public static let otherAddresses = DirectoryFeature(rawValue: "otherAddresses")
    /// The directory can set whether an email address or phone number is a way to sign in.
    public static let addressIdentities = DirectoryFeature(rawValue: "addressIdentities")
    /// Users can have a user name.
    public static let usernames = DirectoryFeature(rawValue: "usernames")
    /// The first name and the last name are stored separately.
    public static let personNames = DirectoryFeature(rawValue: "personNames")
    /// Users can have the URL of a photo.
    public static let photos = DirectoryFeature(rawValue: "photos")
    /// A user can be created with accounts at identity providers.
    public static let identities = DirectoryFeature(rawValue: "identities")
    /// An account at an identity provider keeps the provider's data and the times of the account.
    public static let identityDetails = DirectoryFeature(rawValue: "identityDetails")
    /// A user can be created with verified phone numbers as second factors.
    public static let phoneFactors = DirectoryFeature(rawValue: "phoneFactors")
    /// A user can be created with the secret of a verified authenticator app as a second factor.
    public static let appFactors = DirectoryFeature(rawValue: "appFactors")
    /// A user can be created with backup codes.
    public static let backupCodes = DirectoryFeature(rawValue: "backupCodes")
    /// A user can be created with second factors of other kinds and states, such as an unverified number.
    public static let factors = DirectoryFeature(rawValue: "factors")
    /// An anonymous user can be created.
    public static let anonymousUsers = DirectoryFeature(rawValue: "anonymousUsers")
    /// A user who signs in by single sign-on can be created.
    public static let singleSignOn = DirectoryFeature(rawValue: "singleSignOn")
    /// A user can be created in the tenant for which the directory was created.
    public static let tenants = DirectoryFeature(rawValue: "tenants")
    /// A user can be created with a role and an audience for the tokens.
    public static let roles = DirectoryFeature(rawValue: "roles")
    /// Users have metadata that they can change themselves.
    public static let userMetadata = DirectoryFeature(rawValue: "userMetadata")
    /// Users have metadata that only servers can read.
    public static let privateMetadata = DirectoryFeature(rawValue: "privateMetadata")
    /// A user can be created with the id that the user has in another system.
    public static let externalIDs = DirectoryFeature(rawValue: "externalIDs")
    /// A user can be created with the time when the account was created.
    public static let creationTimes = DirectoryFeature(rawValue: "creationTimes")
    /// A user can be created with the time of the last change.
    public static let updateTimes = DirectoryFeature(rawValue: "updateTimes")
    /// A user can be created with the time of the last sign-in.
    public static let signInTimes = DirectoryFeature(rawValue: "signInTimes")
    /// The directory can store a password in clear text that violates the project's policy.
    public static let policyExemptions = DirectoryFeature(rawValue: "policyExemptions")
}
