/// A flow as the client keeps it: the step in progress and the adapter's notes.
struct FlowRecord: Sendable, Codable {
    /// Identifies a repetition of the call that began the flow: a digest, not the address.
    var fingerprint: String
    var ordinal: Int
    var unfinished: UnfinishedStep?
    var memory: FlowMemory.Contents
    /// How many codes were tried at the step in progress; `nil` is none.
    ///
    /// A new step, or a new message, begins at none again.
    var guesses: Int?

    var step: SignInStep? { unfinished?.step }
}

/// The content of the store's flow slot.
struct StoredFlows: Sendable, Codable {
    var pending: FlowRecord?
    var interrupted: FlowRecord?

    var ids: Set<String> { Set([pending, interrupted].compactMap { $0?.memory.flow.id }) }
}

extension SlotChange<StoredFlows> {
    /// The flows of this client that are stored afterwards; `nil` where nothing is changed.
    var flowIDs: Set<String>? {
        switch self {
        case .keep: nil
        case .write(let flows): flows.ids
        case .remove: []
        }
    }
}

/// A step that can be kept: every one except a session.
enum UnfinishedStep: Sendable, Codable {
    case verify(Challenge)
    case secondFactor(SecondFactorStep)
    case newPassword(NewPasswordStep)
    case redirect(RedirectStep)
    case moreInformation(MissingFieldsStep)
    case identityConflict(IdentityConflictStep)
    case other(OtherStep)

    init?(_ step: SignInStep) {
        switch step {
        case .complete: return nil
        case .verify(let challenge): self = .verify(challenge)
        case .secondFactor(let step): self = .secondFactor(step)
        case .newPassword(let step): self = .newPassword(step)
        case .redirect(let step): self = .redirect(step)
        case .moreInformation(let step): self = .moreInformation(step)
        case .identityConflict(let step): self = .identityConflict(step)
        case .other(let step): self = .other(step)
        }
    }

    var step: SignInStep {
        switch self {
        case .verify(let challenge): .verify(challenge)
        case .secondFactor(let step): .secondFactor(step)
        case .newPassword(let step): .newPassword(step)
        case .redirect(let step): .redirect(step)
        case .moreInformation(let step): .moreInformation(step)
        case .identityConflict(let step): .identityConflict(step)
        case .other(let step): .other(step)
        }
    }
}
