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
    /// Sign-in can be refused to a user.
    public static let disabling = DirectoryFeature(rawValue: "disabling")
    /// Users can have a number.
    public static let phones = DirectoryFeature(rawValue: "phones")
}
