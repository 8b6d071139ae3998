/// A step that the provider added after this version was made.
public struct OtherStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The provider's own name of the step.
    public var status: String

    /// A step.
    public init(flow: Flow, status: String) {
        self.flow = flow
        self.status = status
    }
}
