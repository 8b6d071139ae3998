/// Why a harness could not do what a contract asked of it: the contract is then not checked, and the report says this sentence.
///
/// It never stands for something that the adapter did.
public struct EnvironmentError: Error, Sendable, CustomStringConvertible {
    /// The impossible operation, and the reason.
    public let reason: String

    /// A reason, for the report.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
