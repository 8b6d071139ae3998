/// Why a harness cannot do what a contract asks of it: its backend lacks the operation.
///
/// The contract is then not checked, and the report says this sentence; a test fails unless ``Harness/cannotCheck`` has the contract.
///
/// It never stands for something that the adapter did, nor for an operation that failed: see ``HarnessFailure``.
public struct EnvironmentError: Error, Sendable, CustomStringConvertible {
    /// The impossible operation, and the reason.
    public let reason: String

    /// A reason, for the report.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
