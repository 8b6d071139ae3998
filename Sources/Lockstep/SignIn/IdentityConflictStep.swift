/// A link that failed because the identity is another account's.
///
/// Nothing has changed: the guest's or user's session still works. To switch to the other account, sign in there.
public struct IdentityConflictStep: Sendable, Hashable, Codable {
    /// The flow.
    public var flow: Flow
    /// The user who is signed in.
    public var currentUserID: String
    /// The user who has the identity, where the provider names them.
    public var otherUserID: String?
    /// How to sign in there.
    public var waysToSignIn: [Capability]

    /// A step.
    public init(flow: Flow, currentUserID: String, otherUserID: String? = nil, waysToSignIn: [Capability]) {
        self.flow = flow
        self.currentUserID = currentUserID
        self.otherUserID = otherUserID
        self.waysToSignIn = waysToSignIn
    }
}
