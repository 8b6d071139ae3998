/// The error for an operation that a backend does not support.
///
/// The contract is then not checked, and the report contains ``reason``. The test fails unless ``Harness/cannotCheck`` lists the
/// contract.
///
/// Do not use this error for results of the adapter. For operations that have failed, use ``HarnessFailure``.
public struct EnvironmentError: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the operation, and says why it is not supported.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameter reason: A sentence that names the operation, and says why it is not supported.
    public init(_ reason: String) { self.reason = reason }

    /// The sentence of the error.
    public var description: String { reason }
}
