/// A kind of data that a directory may be able to write.
public struct DirectoryFeature: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// Creates a feature.
    ///
    /// - Parameter rawValue: The stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// A user can be created with an id that the caller chooses.
    public static let chosenIDs = DirectoryFeature(rawValue: "chosenIDs")
    /// A user can be created with a password hash.
    public static let passwordHashes = DirectoryFeature(rawValue: "passwordHashes")
    /// An email address or phone number can be marked as verified or unverified.
    public static let confirmation = DirectoryFeature(rawValue: "confirmation")
    /// A user can be created with the time when an email address or phone number was verified.
    public static let confirmationTimes = DirectoryFeature(rawValue: "confirmationTimes")
    /// A user can be disabled, so that sign-in is rejected.
    public static let disabling = DirectoryFeature(rawValue: "disabling")
    /// A ban can have an end.
    public static let banEnds = DirectoryFeature(rawValue: "banEnds")
    /// A user can be created as locked, as after too many attempts.
    public static let locks = DirectoryFeature(rawValue: "locks")
    /// Users can have a phone number.
    public static let phones = DirectoryFeature(rawValue: "phones")
    /// A phone number can be stored without verification, so that no user signs in with it.
    public static let unprovenPhones = DirectoryFeature(rawValue: "unprovenPhones")
    /// Users can have further email addresses and phone numbers.
    public static let otherAddresses = DirectoryFeature(rawValue: "otherAddresses")
    /// An email address or phone number can be set as a separate way to sign in, or not.
    public static let addressIdentities = DirectoryFeature(rawValue: "addressIdentities")
    /// Users can have a user name.
    public static let usernames = DirectoryFeature(rawValue: "usernames")
    /// First and last name are stored separately.
    public static let personNames = DirectoryFeature(rawValue: "personNames")
    /// A user can have the URL of a photo.
    public static let photos = DirectoryFeature(rawValue: "photos")
    /// A user can be created with identities of identity providers.
    public static let identities = DirectoryFeature(rawValue: "identities")
    /// A user can be created with second factors.
    public static let factors = DirectoryFeature(rawValue: "factors")
    /// An anonymous user can be created.
    public static let anonymousUsers = DirectoryFeature(rawValue: "anonymousUsers")
    /// A user of single sign-on can be created.
    public static let singleSignOn = DirectoryFeature(rawValue: "singleSignOn")
    /// A user can be created in the directory's tenant.
    public static let tenants = DirectoryFeature(rawValue: "tenants")
    /// A user can be created with a role and an audience for the tokens.
    public static let roles = DirectoryFeature(rawValue: "roles")
    /// Users have metadata that they can change themselves.
    public static let userMetadata = DirectoryFeature(rawValue: "userMetadata")
    /// Users have metadata that only servers can read.
    public static let privateMetadata = DirectoryFeature(rawValue: "privateMetadata")
    /// A user can be created with the id from another system.
    public static let externalIDs = DirectoryFeature(rawValue: "externalIDs")
    /// A user can be created with the time when the account was created.
    public static let creationTimes = DirectoryFeature(rawValue: "creationTimes")
    /// A user can be created with the time of the last change.
    public static let updateTimes = DirectoryFeature(rawValue: "updateTimes")
    /// A user can be created with the time of the last sign-in.
    public static let signInTimes = DirectoryFeature(rawValue: "signInTimes")
    /// A password in clear text can be exempt from the project's policy.
    public static let policyExemptions = DirectoryFeature(rawValue: "policyExemptions")
}
