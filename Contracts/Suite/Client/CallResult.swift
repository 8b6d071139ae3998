public import Lockstep

/// The result of a call, as a value that does not depend on the type of the call.
public enum CallResult: Sendable {
    /// The session, or the next step.
    case step(AuthStep)
    /// A session.
    case session(Session)
    /// The user.
    case user(User)
    /// An access token.
    case token(Secret)
    /// A challenge.
    case challenge(Challenge)
    /// The values that the user needs to complete the enrollment of a factor.
    case enrolment(FactorEnrolment)
    /// The authentication state.
    case state(AuthState)
    /// The response of an app's own server.
    case response(AppResponse<[UInt8]>)
    /// Second factors.
    case factors([FactorChoice])
    /// Passkeys.
    case passkeys([Passkey])
    /// Organizations.
    case organizations([Organization])
    /// Backup codes.
    case codes([Secret])
    /// A success without a value.
    case done
    /// The URL is not for this client.
    case notOurs
    /// An error of the client.
    case refusal(AuthError)
    /// Another error, which the app's own code has thrown.
    case failed

    /// The error of the client; `nil` after any other result.
    public var refusal: AuthError? {
        if case .refusal(let error) = self { error } else { nil }
    }

    func get() throws(AuthError) {
        if let refusal { throw refusal }
    }
}

func named(_ result: CallResult) -> String { result.refusal?.code.rawValue ?? "success" }

extension ClientCall where Output == AuthStep {
    static func result(_ output: Output) -> CallResult { .step(output) }
    static func output(_ result: CallResult) -> Output? { if case .step(let value) = result { value } else { nil } }
}

extension ClientCall where Output == Session {
    static func result(_ output: Output) -> CallResult { .session(output) }
    static func output(_ result: CallResult) -> Output? { if case .session(let value) = result { value } else { nil } }
}

extension ClientCall where Output == User {
    static func result(_ output: Output) -> CallResult { .user(output) }
    static func output(_ result: CallResult) -> Output? { if case .user(let value) = result { value } else { nil } }
}

extension ClientCall where Output == Secret {
    static func result(_ output: Output) -> CallResult { .token(output) }
    static func output(_ result: CallResult) -> Output? { if case .token(let value) = result { value } else { nil } }
}

extension ClientCall where Output == Challenge {
    static func result(_ output: Output) -> CallResult { .challenge(output) }
    static func output(_ result: CallResult) -> Output? { if case .challenge(let value) = result { value } else { nil } }
}

extension ClientCall where Output == FactorEnrolment {
    static func result(_ output: Output) -> CallResult { .enrolment(output) }
    static func output(_ result: CallResult) -> Output? { if case .enrolment(let value) = result { value } else { nil } }
}

extension ClientCall where Output == AuthState {
    static func result(_ output: Output) -> CallResult { .state(output) }
    static func output(_ result: CallResult) -> Output? { if case .state(let value) = result { value } else { nil } }
}

extension ClientCall where Output == [FactorChoice] {
    static func result(_ output: Output) -> CallResult { .factors(output) }
    static func output(_ result: CallResult) -> Output? { if case .factors(let value) = result { value } else { nil } }
}

extension ClientCall where Output == [Passkey] {
    static func result(_ output: Output) -> CallResult { .passkeys(output) }
    static func output(_ result: CallResult) -> Output? { if case .passkeys(let value) = result { value } else { nil } }
}

extension ClientCall where Output == [Organization] {
    static func result(_ output: Output) -> CallResult { .organizations(output) }
    static func output(_ result: CallResult) -> Output? { if case .organizations(let value) = result { value } else { nil } }
}

extension ClientCall where Output == [Secret] {
    static func result(_ output: Output) -> CallResult { .codes(output) }
    static func output(_ result: CallResult) -> Output? { if case .codes(let value) = result { value } else { nil } }
}

extension ClientCall where Output == Void {
    static func result(_ output: Output) -> CallResult { .done }
    static func output(_ result: CallResult) -> Output? { if case .done = result { () } else { nil } }
}

extension ClientCall where Output == CallbackOutcome {
    static func result(_ output: Output) -> CallResult {
        switch output {
        case .step(let step): .step(step)
        case .refused(let error): .refusal(error)
        case .notOurs: .notOurs
        }
    }

    static func output(_ result: CallResult) -> Output? {
        switch result {
        case .step(let step): .step(step)
        case .refusal(let error): .refused(error)
        case .notOurs: .notOurs
        default: nil
        }
    }
}
