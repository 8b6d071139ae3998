/// An error of the harness, its backend or its controls.
///
/// The run has failed, without a result for the adapter.
///
/// Any other error of a control or of ``Harness/withEnvironment(_:_:)`` counts as this error, except an ``EnvironmentError`` of a
/// control.
public struct HarnessFailure: Error, Sendable, CustomStringConvertible {
    /// The failed operation, with its error.
    public let reason: String

    /// Creates an error with a reason for the report.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }

    /// The result of a control's operation; what it throws becomes a failure of the run, unless it says that the backend lacks the operation.
    static func turning<Value>(_ what: String, _ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch let error as EnvironmentError {
            throw error
        } catch let error as HarnessFailure {
            throw error
        } catch {
            throw HarnessFailure("\(what) failed: \(error)")
        }
    }
}
