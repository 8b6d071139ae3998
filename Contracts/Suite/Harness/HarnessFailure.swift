/// The error if an operation of the harness, its backend or its controls has failed.
///
/// The check has then failed, without a result for the adapter. If a control or ``Harness/withEnvironment(_:_:)`` throws any
/// other error, it is treated like this one, except an ``EnvironmentError`` of a control.
public struct HarnessFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence that names the operation that failed, with its error.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameter reason: A sentence that names the operation that failed, with its error.
    public init(_ reason: String) { self.reason = reason }

    /// The sentence of the error.
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
