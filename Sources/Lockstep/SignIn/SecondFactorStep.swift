/// A sign-in that waits for a second factor.
public struct SecondFactorStep: Sendable, Hashable, Codable {
    /// The flow to continue.
    public var flow: Flow
    /// What to answer now; `nil` until a factor was chosen, where there is a choice.
    public var challenge: Challenge?
    /// The factors that the user has.
    public var choices: [FactorChoice]

    /// A step.
    public init(flow: Flow, challenge: Challenge?, choices: [FactorChoice]) {
        self.flow = flow
        self.challenge = challenge
        self.choices = choices
    }
}

/// One of the second factors that a user has.
public struct FactorChoice: Sendable, Hashable, Codable {
    /// The kinds of second factor.
    public enum Kind: String, Sendable, Codable, CaseIterable { case authenticatorApp, phone, email, backupCode, passkey }

    /// The provider's id of it.
    public var id: String
    /// Which kind it is.
    public var kind: Kind
    /// The name or masked number to show.
    public var label: String?

    /// A choice.
    public init(id: String, kind: Kind, label: String? = nil) {
        self.id = id
        self.kind = kind
        self.label = label
    }
}
