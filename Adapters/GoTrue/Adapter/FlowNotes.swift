internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

extension FlowNote<String> {
    /// The address that received the message.
    static var email: Self { "email" }
    /// The account's current address, until the new one is verified.
    static var formerEmail: Self { "formerEmail" }
    /// The number that received the message.
    static var phone: Self { "phone" }
    /// Which message was sent.
    static var message: Self { "message" }
    /// Whether an account may be created for an unknown address.
    static var createsAccount: Self { "createsAccount" }
    /// The second factor that was chosen.
    static var factor: Self { "factor" }
    /// The open challenge of that factor.
    static var factorChallenge: Self { "factorChallenge" }
    /// The masked number that gets that factor's codes.
    static var factorPhone: Self { "factorPhone" }
    /// An unverified factor, which the flow adds to the signed-in user.
    static var enrolledFactor: Self { "enrolledFactor" }
    /// Whether the flow creates a passkey (`create`) or uses one (`request`).
    static var ceremony: Self { "ceremony" }
    /// The open challenge of a passkey that signs in, or is added to the user.
    static var passkeyChallenge: Self { "passkeyChallenge" }
}

extension FlowNote<Secret> {
    /// The verifier that is sent with the code of a returning link (PKCE).
    static var verifier: Self { "verifier" }
}

extension FlowNote<Instant> {
    /// The time when the message was sent.
    static var sentAt: Self { "sentAt" }
}

extension FlowMemory {
    /// The message that was sent last.
    var message: Message? { self[.message].flatMap(Message.init) }

    /// The codes that this device has used, because GoTrue returns the same error for wrong, old and used codes.
    var spentCodes: SpentProofs { SpentProofs(in: self, note: "spentCodes") }
}
