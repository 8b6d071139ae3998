/// The error for a failed operation of the harness, its backend or its controls.
///
/// The check has then failed, without a result for the adapter. Any other error of a control or of
/// ``Harness/withEnvironment(_:_:)`` has the same effect. The exception is an ``EnvironmentError`` of a control.
public struct HarnessFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the failed operation and its error.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameter reason: A sentence that names the failed operation and its error.
    public init(_ reason: String) { self.reason = reason }

    /// The sentence of the error.
    public var description: String { reason }

    /// Runs an operation of a control, and converts its errors to failures of the run.
    ///
    /// An ``EnvironmentError`` is thrown unchanged.
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
