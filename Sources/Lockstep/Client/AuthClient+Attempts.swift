internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Goes on with a flow.
    ///
    /// A step takes ten codes: after as many wrong ones it refuses every further one as `codeExpired`, without a request, until a new
    /// message is sent (``resend(_:)``) or the flow is begun again.
    ///
    /// - Throws: `flowAbandoned`, `flowNotFound`; `answerNotAccepted` before any request; `invalidCode`, `codeExpired`,
    ///   `notConfirmedYet`…: the flow stays then, and a right answer still works.
    @concurrent
    public func proceed(_ flow: Flow, with answer: Answer) async throws(AuthError) -> SignInStep {
        try await call("proceed") { () async throws(AuthError) in
            let record = try self.record(of: flow)
            guard let step = record.step, step.accepts.contains(answer.kind) else {
                throw AuthError(.answerNotAccepted, "This step takes no \(answer.kind.rawValue). Ask the step what it accepts.")
            }
            if case .link(let url) = answer { return try await self.follow(url) }
            return try await self.attempt(try answer.normalized(), on: record)
        }
    }

    func attempt(_ answer: Answer, on record: FlowRecord) async throws(AuthError) -> SignInStep {
        let kind = record.memory.flow.kind
        guard let strategy = adapter.verification.first(where: { $0.takes(answer.kind, in: kind) }) else {
            throw AuthError(.answerNotAccepted, "\(adapterName) takes no \(answer.kind.rawValue) in this flow.")
        }
        let bound = boundCall(of: record)
        if answer.kind == .code { try countGuess(in: record.memory.flow) }
        let step: SignInStep
        do throws(AuthError) {
            step = try await goOn(with: record) { memory async throws(AuthError) in
                try await strategy.attempt(answer, in: memory)
            }
        } catch {
            if answer.kind == .code, !error.code.isVerdictOnCode { takeBackGuess(in: record.memory.flow) }
            throw error
        }
        guard case .complete = step, let bound else { return step }
        return try await run(bound, after: step)
    }

    /// Counts a code before it is sent, so that codes which are given at the same time are counted together.
    private func countGuess(in flow: Flow) throws(AuthError) {
        let isLeft = core.withLock { core in
            guard core.pending?.memory.flow.id == flow.id else { return true }
            let guesses = core.pending?.guesses ?? 0
            guard guesses < FlowRecord.guessLimit else { return false }
            core.pending?.guesses = guesses + 1
            return true
        }
        guard isLeft else {
            throw AuthError(
                .codeExpired, "Too many wrong codes were given: this step takes no more. Ask for a new one.",
                remedies: [.resend, .startAgain])
        }
    }

    /// Takes a count back where the backend did not judge the code: the network failed, the call was cancelled.
    private func takeBackGuess(in flow: Flow) {
        core.withLock { core in
            guard core.pending?.memory.flow.id == flow.id, let guesses = core.pending?.guesses, guesses > 0 else { return }
            core.pending?.guesses = guesses - 1
        }
    }
}

extension FlowRecord {
    /// How many codes a step takes.
    fileprivate static let guessLimit = 10
}

extension AuthError.Code {
    /// Whether the backend has judged the code.
    fileprivate var isVerdictOnCode: Bool { [.invalidCode, .codeExpired, .codeUsed].contains(self) }
}

extension Answer {
    /// The answer in the one form that every adapter gets.
    fileprivate func normalized() throws(AuthError) -> Answer {
        switch self {
        case .code(let code):
            let trimmed = code.reveal().filter { !$0.isWhitespace }
            guard !trimmed.isEmpty else {
                throw AuthError(.invalidInput, "The code is empty. Ask the user for it before calling.")
            }
            return .code(Secret(trimmed))
        case .newPassword(let password) where password.isEmpty:
            throw AuthError(.invalidInput, "The new password is empty. Ask the user for one before calling.")
        case .fields(let fields) where fields.isEmpty:
            throw AuthError(.invalidInput, "No field is given.")
        case .fields(var fields):
            if let email = fields[.emailAddress] { fields[.emailAddress] = try EmailAddress(email).text }
            return .fields(fields)
        default: return self
        }
    }
}
