/// Something that a directory may be able to write.
public struct DirectoryFeature: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String

    /// A feature by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name.
    public var description: String { rawValue }

    /// A user can be made with an id of the caller's choice.
    public static let chosenIDs = DirectoryFeature(rawValue: "chosenIDs")
    /// A user can be made with the hash of a password.
    public static let passwordHashes = DirectoryFeature(rawValue: "passwordHashes")
    /// An address can be marked as proven, or not.
    public static let confirmation = DirectoryFeature(rawValue: "confirmation")
    /// A user can be made with the time when an address or a number was verified.
    public static let confirmationTimes = DirectoryFeature(rawValue: "confirmationTimes")
    /// Sign-in can be refused to a user.
    public static let disabling = DirectoryFeature(rawValue: "disabling")
    /// A ban can have an end.
    public static let banEnds = DirectoryFeature(rawValue: "banEnds")
    /// A user can be made who is locked, as after too many attempts.
    public static let locks = DirectoryFeature(rawValue: "locks")
    /// Users can have a number.
    public static let phones = DirectoryFeature(rawValue: "phones")
    /// A number can be kept without a proof of it, so that it signs no user in.
    public static let unprovenPhones = DirectoryFeature(rawValue: "unprovenPhones")
    /// Users can have further addresses and numbers.
    public static let otherAddresses = DirectoryFeature(rawValue: "otherAddresses")
    /// Whether an address or a number is a sign-in method of its own can be set.
    public static let addressIdentities = DirectoryFeature(rawValue: "addressIdentities")
    /// Users can have a user name.
    public static let usernames = DirectoryFeature(rawValue: "usernames")
    /// First and last name are kept apart.
    public static let personNames = DirectoryFeature(rawValue: "personNames")
    /// A user can have a photo's address.
    public static let photos = DirectoryFeature(rawValue: "photos")
    /// A user can be made with identities of providers.
    public static let identities = DirectoryFeature(rawValue: "identities")
    /// A user can be made with second factors.
    public static let factors = DirectoryFeature(rawValue: "factors")
    /// A guest can be made.
    public static let anonymousUsers = DirectoryFeature(rawValue: "anonymousUsers")
    /// A user of single sign-on can be made.
    public static let singleSignOn = DirectoryFeature(rawValue: "singleSignOn")
    /// A user can be made in the tenant of the directory.
    public static let tenants = DirectoryFeature(rawValue: "tenants")
    /// A user can be made with a role and an audience of the tokens.
    public static let roles = DirectoryFeature(rawValue: "roles")
    /// There is a place for data that the user may change.
    public static let userMetadata = DirectoryFeature(rawValue: "userMetadata")
    /// There is a place for data that only servers see.
    public static let privateMetadata = DirectoryFeature(rawValue: "privateMetadata")
    /// A user can be made with the id that another system has for the same person.
    public static let externalIDs = DirectoryFeature(rawValue: "externalIDs")
    /// A user can be made with the time of the account.
    public static let creationTimes = DirectoryFeature(rawValue: "creationTimes")
    /// A user can be made with the time of the last change.
    public static let updateTimes = DirectoryFeature(rawValue: "updateTimes")
    /// A user can be made with the time of the last sign-in.
    public static let signInTimes = DirectoryFeature(rawValue: "signInTimes")
    /// A password given as text can be exempt from the project's policy.
    public static let policyExemptions = DirectoryFeature(rawValue: "policyExemptions")
}
