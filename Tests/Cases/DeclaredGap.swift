/// A case that is not tried, or not wholly, and why.
public struct DeclaredGap: Sendable {
    /// How much of the case is not tried.
    public enum Extent: Sendable, Hashable {
        /// Nothing tries it.
        case whole
        /// Something tries it, and not all that its sentence says.
        case part
    }

    /// The case's id.
    public let id: String
    /// How much of it is missing.
    public let extent: Extent
    /// What is missing, and what it waits for.
    public let reason: String

    /// A case that nothing tries.
    public static func untried(_ id: String, _ reason: String) -> DeclaredGap {
        DeclaredGap(id: id, extent: .whole, reason: reason)
    }

    /// A case of which something is not tried.
    public static func partly(_ id: String, _ reason: String) -> DeclaredGap {
        DeclaredGap(id: id, extent: .part, reason: reason)
    }
}
