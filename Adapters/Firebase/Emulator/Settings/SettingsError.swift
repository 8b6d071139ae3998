/// An invalid configuration.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence with the error and its remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
