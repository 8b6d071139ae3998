/// Whether an attribute belongs to a user of this instance.
public enum Requirement: String, Sendable, Hashable, CaseIterable {
    /// The instance does not know the attribute.
    case off
    /// A user may have it.
    case optional
    /// No user without it.
    case required

    /// Whether the instance knows the attribute at all.
    var isEnabled: Bool { self != .off }
}
