/// An operation of the harness, its backend or its controls failed: the run has failed, and says nothing about the adapter.
///
/// Everything else that a control or ``Harness/withEnvironment(_:_:)`` throws counts as this, an ``EnvironmentError`` of a control excepted.
public struct HarnessFailure: Error, Sendable, CustomStringConvertible {
    /// The operation that failed, and how.
    public let reason: String

    /// A reason, for the report.
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
