/// The beginning of the next page, as an opaque value of the backend.
public struct DirectoryCursor: RawRepresentable, Hashable, Sendable, Codable {
    /// The backend's own value.
    public let rawValue: String

    /// A cursor of the backend's.
    public init(rawValue: String) { self.rawValue = rawValue }
}
