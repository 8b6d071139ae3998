/// Settings that cannot be read.
public struct GoTrueSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for each.
    public let problems: [String]

    /// All of them in one text.
    public var description: String { problems.joined(separator: " ") }
}
