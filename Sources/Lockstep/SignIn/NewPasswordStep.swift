/// A flow that waits for a new password.
public struct NewPasswordStep: Sendable, Hashable, Codable {
    /// Why it is asked for.
    public enum Reason: String, Sendable, Codable { case reset, required }

    /// The flow to continue.
    public var flow: Flow
    /// Why it is asked for.
    public var reason: Reason

    /// A step.
    public init(flow: Flow, reason: Reason) {
        self.flow = flow
        self.reason = reason
    }
}
