/// A flow that goes on in a browser.
public struct RedirectStep: Sendable, Hashable, Codable {
    /// The flow to continue, by the link that comes back.
    public var flow: Flow
    /// The page to open: https only, or http on this machine, as an emulator's pages are.
    public var url: String

    /// A step.
    public init(flow: Flow, url: String) {
        self.flow = flow
        self.url = url
    }
}
