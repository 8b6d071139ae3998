/// Why a configuration was not taken.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
