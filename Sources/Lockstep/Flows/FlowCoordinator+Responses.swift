internal import LockstepPrimitives
internal import Synchronization

extension FlowCoordinator {
    /// Continues a flow.
    ///
    /// A step accepts at most ten codes.
    func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> AuthStep {
        try await sessions.call("respond") { () async throws(AuthError) in
            let record = try await self.record(of: flow)
            guard let step = record.step, step.accepts.contains(response.kind) else {
                throw AuthError(
                    .responseNotAccepted,
                    "This step does not accept the response \"\(response.kind.rawValue)\". Check which responses the step accepts."
                )
            }
            if case .link(let url) = response { return try await self.follow(url) }
            if case .captcha(let token) = try response.normalized() {
                return try await self.respond(withCaptcha: token, on: record)
            }
            return try await self.attempt(try response.normalized(), on: record)
        }
    }

    /// Sends a response to the backend.
    ///
    /// - `link`: The name of the link in the response. It is noted as used when the backend has accepted the link.
    func attempt(
        _ response: ChallengeResponse, on record: FlowRecord, using link: String? = nil
    ) async throws(AuthError) -> AuthStep {
        let kind = record.memory.flow.kind
        guard let strategy = adapter.verification.first(where: { $0.accepts(response.kind, in: kind) }) else {
            throw AuthError(
                .responseNotAccepted, "\(adapter.name) does not accept the response \"\(response.kind.rawValue)\" in this flow.")
        }
        let bound = boundCall(of: record)
        if response.kind == .code { try await countGuess(in: record.memory.flow) }
        let step: AuthStep
        do throws(AuthError) {
            step = try await resume(record) { memory async throws(AuthError) in
                guard let link else { return try await strategy.attempt(response, in: memory) }
                return try await Self.opening(link, in: memory) { () async throws(AuthError) in
                    try await strategy.attempt(response, in: memory)
                }
            }
        } catch {
            if response.kind == .code, !error.code.isVerdictOnCode { await takeBackGuess(in: record.memory.flow) }
            throw error
        }
        guard case .complete = step, let bound else { return step }
        return try await retry(bound, after: step)
    }

    /// Opens a link.
    ///
    /// Before the request, the link is noted as possibly used, because the process may end before the response.
    private static func opening(
        _ link: String, in memory: FlowMemory, _ request: () async throws(AuthError) -> AuthStep
    ) async throws(AuthError) -> AuthStep {
        OpenedLinkNotes.unanswered.insert(link, in: memory)
        await memory.storeDeviceNotes()
        do throws(AuthError) {
            let step = try await request()
            OpenedLinkNotes.unanswered.remove(link, in: memory)
            OpenedLinkNotes.used.insert(link, in: memory)
            return step
        } catch {
            if !error.code.leavesOpen { OpenedLinkNotes.unanswered.remove(link, in: memory) }
            throw error
        }
    }

    /// Counts a code before it is sent, in the store as well.
    ///
    /// So the count includes codes that are sent at the same time, here and in other processes. While the store cannot
    /// be written, each process counts only its own codes.
    private func countGuess(in flow: Flow) async throws(AuthError) {
        let isLeft = context.state.withLock { state in
            guard state.flows.pending?.memory.flow.id == flow.id else { return true }
            let guesses = state.flows.pending?.guesses ?? 0
            guard guesses < FlowRecord.guessLimit else { return false }
            state.flows.pending?.guesses = guesses + 1
            return true
        }
        guard isLeft else { throw Self.tooManyCodes }
        await sessions.persist(.flow)
        let isBeyond = context.state.withLock { state in
            state.flows.pending?.memory.flow.id == flow.id && state.flows.pending?.guesses ?? 0 > FlowRecord.guessLimit
        }
        guard isBeyond else { return }
        await takeBackGuess(in: flow)
        throw Self.tooManyCodes
    }

    private static let tooManyCodes = AuthError(
        .codeExpired, "Too many wrong codes for this step. Request a new code.", remedies: [.resend, .startAgain])

    /// Reverses the count if the backend did not check the code: the network failed, or the call was cancelled.
    private func takeBackGuess(in flow: Flow) async {
        let isTaken = context.state.withLock { state in
            guard state.flows.pending?.memory.flow.id == flow.id, let guesses = state.flows.pending?.guesses, guesses > 0 else {
                return false
            }
            state.flows.pending?.guesses = guesses - 1
            return true
        }
        if isTaken { await sessions.persist(.flow) }
    }

    /// Sends the link or code of a flow again, but not before the provider allows it.
    func resend(_ flow: Flow) async throws(AuthError) -> Challenge {
        try await sessions.call("resend") { () async throws(AuthError) in
            let record = try await self.record(of: flow)
            guard let challenge = record.step?.challenge, let left = record.timeToResend(on: self.effects.clock) else {
                throw AuthError(.responseNotAccepted, "This step sends no message, so there is nothing to send again.")
            }
            guard left <= .zero else {
                throw AuthError(
                    .tooManyRequests, "The message can be sent again in \(left.inWholeSeconds). Show a countdown.",
                    retry: .after(left))
            }
            let senders = self.adapter.verification.filter { strategy in
                challenge.ending != nil || challenge.accepts.contains { strategy.accepts($0, in: flow.kind) }
            }
            for sender in senders {
                do throws(AuthError) {
                    let step = try await self.resume(record) { memory async throws(AuthError) in
                        let challenge = try await sender.prepare(memory)
                        // The step stays a second-factor step, so the user can still choose another factor.
                        guard case .secondFactor(var second)? = record.step else { return .verify(challenge) }
                        second.challenge = challenge
                        return .secondFactor(second)
                    }
                    guard let challenge = step.challenge else { break }
                    return challenge
                } catch  where error.code == .unsupported {}
            }
            throw AuthError(.unsupported, "\(self.adapter.name) cannot send this message again.")
        }
    }

    /// Cancels a flow, or the conflict in which it ended.
    ///
    /// An existing session stays. Its user must still verify the address if it is unverified.
    func cancel(_ flow: Flow) async throws(AuthError) {
        try await sessions.call("cancel") { () async throws(AuthError) in
            if await self.leaveConflict(of: flow) { return }
            _ = try await self.record(of: flow)
            self.sessions.change { state in
                guard !state.isProofDue else { return }
                state.flows.pending = nil
                state.flows.interrupted = nil
                state.flows.rejectAnswers()
                state.askForProof(self.adapter, self.effects)
            }
            await self.sessions.persist(.flow)
        }
    }

    // MARK: Bound calls

    /// Binds a call to the flow in progress.
    ///
    /// The call runs once, when the flow is completed.
    func bind(_ call: SensitiveCall, to flow: Flow) {
        sessions.change { state in
            guard state.flows.pending?.memory.flow.id == flow.id else { return }
            let lifetime = TokenLifetime(life: BoundCall.life, clock: effects.clock)
            state.flows.bound = BoundCall(call: call, flow: flow.id, lifetime: lifetime)
        }
    }

    /// Returns the call that is bound to a flow, if neither has expired.
    func boundCall(of record: FlowRecord) -> SensitiveCall? {
        let hasEnded = record.step?.challenge?.expiresAt.map { $0 < effects.clock.now } ?? false
        return sessions.change { state in
            guard let bound = state.flows.bound, bound.flow == record.memory.flow.id else { return nil }
            guard !hasEnded, bound.lifetime.remaining(on: effects.clock) > .zero else {
                state.flows.bound = nil
                return nil
            }
            return bound.call
        }
    }

    /// Runs a call with its own deadline, after the user has signed in again.
    ///
    /// - Throws: The error of the call, whose completed parts begin with the sign-in.
    func retry(_ call: SensitiveCall, after step: AuthStep) async throws(AuthError) -> AuthStep {
        do throws(AuthError) {
            return try await shielded { [self] () async throws(AuthError) in
                switch call {
                case .deleteAccount: try await changes.delete()
                case .changePassword(let new, let current): try await changes.changePassword(to: new, current: current)
                case .changeEmail(let email): return try await changeEmail(to: email)
                }
                return step
            }
        } catch {
            var error = error
            error.completed.insert(SensitiveCall.signIn, at: 0)
            throw error
        }
    }

    /// Runs the second part of a call whose first part has taken effect.
    ///
    /// The caller waits for this part, and the part continues, even if the caller is cancelled. The reason: every
    /// subscriber sees the first part immediately. A screen may then close and cancel its task, but must not stop the
    /// user's request.
    func shielded<Value: Sendable>(
        _ rest: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let task = Task { () async -> Result<Value, AuthError> in
            do throws(AuthError) { return .success(try await rest()) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }
}

extension FlowRecord {
    /// The number of codes that a step accepts.
    fileprivate static let guessLimit = 10
}

extension AuthError.Code {
    /// Whether this error means that the backend has checked the code.
    fileprivate var isVerdictOnCode: Bool { [.invalidCode, .codeExpired, .codeUsed].contains(self) }
}

extension ChallengeResponse {
    /// Checks the response and normalizes its values.
    ///
    /// The client makes these checks before it calls an adapter. A screen can make these checks earlier, to decide
    /// whether its button is enabled.
    ///
    /// - Returns: The normalized response.
    /// - Throws: `invalidInput` for an empty code, password or list of fields; `invalidEmail` or `invalidPhone` if a
    ///   field contains an invalid email address or phone number.
    public func normalized() throws(AuthError) -> ChallengeResponse {
        switch self {
        case .code(let code):
            let trimmed = TypedCode.normalized(code.reveal())
            guard !trimmed.isEmpty else {
                throw AuthError(.invalidInput, "The code is empty. Ask the user for the code before the call.")
            }
            return .code(Secret(trimmed))
        case .newPassword(let password) where password.isEmpty:
            throw AuthError(.invalidInput, "The new password is empty. Ask the user for a password before the call.")
        case .captcha(let token) where token.isEmpty:
            throw AuthError(.invalidInput, "The captcha's token is empty. Request a new captcha.")
        case .fields(let fields) where fields.isEmpty:
            throw AuthError(.invalidInput, "The response has no fields. Send at least one field.")
        case .fields(var fields):
            if let email = fields[.emailAddress] { fields[.emailAddress] = try EmailAddress(email).text }
            if let phone = fields[.phone] { fields[.phone] = try PhoneNumber(phone).text }
            return .fields(fields)
        default: return self
        }
    }
}

/// A sensitive call that waits until its user has signed in again.
///
/// It is only in memory.
struct BoundCall: Sendable {
    var call: SensitiveCall
    var flow: Flow.ID
    /// The time during which the call can run.
    var lifetime: TokenLifetime

    /// The time limit of the flow if the provider specifies none.
    ///
    /// A call that ran later would surprise the user.
    static let life = Duration.seconds(15 * 60)
}
