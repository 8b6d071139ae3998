/// The result of every sign-up, sign-in and answer: the session, or the next step, as data.
public enum SignInStep: Sendable, Hashable {
    /// Done.
    case complete(Session)
    /// An address has to be proven, by a link or a code. Where the provider gives a limited session until then, the client's
    /// state has it.
    case verify(Challenge)
    /// A second factor has to be given: by a code right away (``SecondFactorStep/challenge``), or after a choice.
    case secondFactor(SecondFactorStep)
    /// A new password has to be set.
    case newPassword(NewPasswordStep)
    /// The user has to go through a page in a browser, which comes back to the app's callback address.
    case redirect(RedirectStep)
    /// Fields are missing.
    case moreInformation(MissingFieldsStep)
    /// The identity belongs to another account.
    case identityConflict(IdentityConflictStep)
    /// The provider asks for something that this version does not know.
    case other(OtherStep)

    /// The unfinished flow; `nil` when done.
    public var flow: Flow? {
        switch self {
        case .complete: nil
        case .verify(let challenge): challenge.flow
        case .secondFactor(let step): step.flow
        case .newPassword(let step): step.flow
        case .redirect(let step): step.flow
        case .moreInformation(let step): step.flow
        case .identityConflict(let step): step.flow
        case .other(let step): step.flow
        }
    }

    /// The challenge to answer now, where there is one.
    public var challenge: Challenge? {
        switch self {
        case .verify(let challenge): challenge
        case .secondFactor(let step): step.challenge
        default: nil
        }
    }

    /// The session, when done.
    public var session: Session? {
        if case .complete(let session) = self { session } else { nil }
    }

    /// The kinds of answers that it takes.
    public var accepts: Set<Answer.Kind> {
        switch self {
        case .complete, .other: []
        case .verify(let challenge): challenge.accepts
        case .secondFactor(let step): (step.challenge?.accepts ?? []).union(step.choices.isEmpty ? [] : [.factor])
        case .newPassword: [.newPassword]
        case .redirect: [.link]
        case .moreInformation: [.fields]
        case .identityConflict: []
        }
    }
}
