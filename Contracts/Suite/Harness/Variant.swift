public import Lockstep

/// A named configuration of a backend, with the provider behavior that the adapter declares there.
public struct Variant: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The unique name in the harness: lower-case words joined by `-`.
    public let name: String
    /// A short description of the configuration.
    public let summary: String
    /// The declared behavior in which providers may differ.
    public let behavior: ProviderBehavior

    /// Creates a configuration.
    public init(_ name: String, _ summary: String, behavior: ProviderBehavior) {
        self.name = name
        self.summary = summary
        self.behavior = behavior
    }

    /// The name.
    public var id: String { name }
    /// The name.
    public var description: String { name }
}
