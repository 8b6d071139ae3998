public import Lockstep

/// A named configuration of a backend, with the provider behavior that the adapter declares there.
public struct Variant: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The name: lower case, words joined by `-`, unique in its harness.
    public let name: String
    /// The configuration, in half a sentence.
    public let summary: String
    /// The declared behavior, where providers rightly differ.
    public let behavior: ProviderBehavior

    /// A configuration.
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
