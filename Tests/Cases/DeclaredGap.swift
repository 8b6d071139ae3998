/// A case that is not tested, or only in part, and the reason.
public struct DeclaredGap: Sendable {
    /// The part of the case that is not tested.
    public enum Extent: Sendable, Hashable {
        /// Nothing is tested.
        case whole
        /// A part of the sentence is tested.
        case part
    }

    /// The case's id.
    public let id: String
    /// The part that is missing.
    public let extent: Extent
    /// A description of the missing part, and its precondition.
    public let reason: String

    /// Declares a case without a test.
    public static func untried(_ id: String, _ reason: String) -> DeclaredGap {
        DeclaredGap(id: id, extent: .whole, reason: reason)
    }

    /// Declares a case that is tested only in part.
    public static func partly(_ id: String, _ reason: String) -> DeclaredGap {
        DeclaredGap(id: id, extent: .part, reason: reason)
    }
}
