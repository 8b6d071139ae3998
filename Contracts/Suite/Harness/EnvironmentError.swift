/// An error that explains why a harness lacks an operation: its backend does not support it.
///
/// Then the contract is not checked, and the report contains this sentence. A test fails unless ``Harness/cannotCheck`` lists the
/// contract.
///
/// Do not use it for results of the adapter, or for operations that failed: see ``HarnessFailure``.
public struct EnvironmentError: Error, Sendable, CustomStringConvertible {
    /// The impossible operation, and the reason.
    public let reason: String

    /// Creates an error with a reason for the report.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
