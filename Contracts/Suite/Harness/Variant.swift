public import Lockstep

/// A named configuration of a backend.
///
/// The variant contains the behavior that the adapter declares for this configuration.
public struct Variant: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The unique name of the variant in the harness: lower-case words joined by `-`.
    public let name: String
    /// A short description of the configuration.
    public let summary: String
    /// The behavior that the adapter declares.
    ///
    /// The behavior contains the points on which providers may differ.
    public let behavior: ProviderBehavior

    /// Creates a variant.
    ///
    /// - Parameters:
    ///   - name: The name: lower-case words joined by `-`.
    ///   - summary: A short description of the configuration.
    ///   - behavior: The behavior that the adapter declares.
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
