/// Where the next page begins, in the backend's own words.
public struct DirectoryCursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The backend's own words.
    public let rawValue: String

    /// A cursor of the backend's.
    public init(rawValue: String) { self.rawValue = rawValue }
}
