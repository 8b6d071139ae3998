public import Lockstep

/// A named configuration of a backend, with what the adapter declares of its conduct there.
public struct Variant: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The name: lower case, words joined by `-`, unique in its bench.
    public let name: String
    /// What the configuration is, in half a sentence.
    public let summary: String
    /// What is declared where providers rightly differ.
    public let conduct: Conduct

    /// A configuration.
    public init(_ name: String, _ summary: String, conduct: Conduct) {
        self.name = name
        self.summary = summary
        self.conduct = conduct
    }

    /// The name.
    public var id: String { name }
    /// The name.
    public var description: String { name }
}
