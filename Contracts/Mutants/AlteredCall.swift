internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

/// One call with a changed result.
struct AlteredCall: Sendable {
    private let way: CallMutant.Way
    private let context: Mutation.Context

    init(_ way: CallMutant.Way, _ context: Mutation.Context) {
        self.way = way
        self.context = context
    }

    private var refusal: AuthError { AuthError(way == .tooOld ? .reauthenticationRequired : .unknown, "A mutant's error.") }

    /// Makes the call, or replaces it, and returns the result.
    ///
    /// - Parameters:
    ///   - base: The client behind the faulty client.
    ///   - known: The value that the client knows without a call.
    ///   - forged: A result without a call; `nil` if no such result is possible.
    ///   - changed: Returns another result in place of the call's result.
    ///   - call: The call.
    /// - Returns: The result.
    /// - Throws: The error of the call, or the error of the fault.
    func of<Value: Sendable>(
        _ base: any PortableClient, known: Value? = nil, forged: Value?,
        changed: (Value, CallMutant.Way) -> Value = { value, _ in value },
        _ call: () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        switch way {
        case .refused, .tooOld: throw refusal
        case .answerLost:
            _ = try await call()
            throw refusal
        case .skipped, .stale:
            if let value = (way == .stale ? known : nil) ?? forged { return value }
            return try await call()
        case .letIn:
            do throws(AuthError) { return try await call() } catch {
                guard let forged else { throw error }
                return forged
            }
        case .repeated:
            _ = try? await call()
            return try await call()
        case .wasted:
            await context.waste()
            return try await call()
        case .bareError, .hastyError:
            do throws(AuthError) { return try await call() } catch { throw altered(error) }
        case .echoed:
            let value = try await call()
            context.events(AuthEvent(.stateChanged, at: context.environment.clock.now, [.state: "signedIn", .callID: "none"]))
            return value
        case .signedOut:
            let value = try await call()
            try? await base.signOut(discardingAnonymousUser: true)
            return value
        case .otherStep, .otherUser, .otherChallenge, .timeless, .late: return changed(try await call(), way)
        }
    }

    private func altered(_ error: AuthError) -> AuthError {
        if way == .bareError { return AuthError(error.code, "A mutant's error.") }
        var hasty = error
        hasty.retry = .after(.milliseconds(1))
        hasty.remedies = []
        return hasty
    }

    /// Returns the result of a call that returns a step.
    func step(
        _ base: any PortableClient, _ call: () async throws(AuthError) -> SignInStep
    ) async throws(AuthError) -> SignInStep {
        try await of(
            base, known: base.pending ?? base.state.session.map { .complete($0) }, forged: .complete(context.forged()),
            changed: step, call)
    }

    /// Returns the result of a call that returns a challenge.
    func challenge(
        _ base: any PortableClient, _ call: () async throws(AuthError) -> Challenge
    ) async throws(AuthError) -> Challenge {
        try await of(base, forged: context.forgedChallenge, changed: challenge, call)
    }

    /// Returns the result of a call that returns an enrollment.
    func enrolment(
        _ base: any PortableClient, _ call: () async throws(AuthError) -> FactorEnrolment
    ) async throws(AuthError) -> FactorEnrolment {
        try await of(base, forged: FactorEnrolment(challenge: context.forgedChallenge), changed: enrolment, call)
    }

    /// Returns the result of a call that returns a user.
    func user(_ base: any PortableClient, _ call: () async throws(AuthError) -> User) async throws(AuthError) -> User {
        try await of(base, forged: base.state.session?.user ?? context.forged().user, changed: user, call)
    }

    /// Returns the result of a call that returns a session.
    func session(
        _ base: any PortableClient, _ call: () async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        try await of(
            base, known: base.state.session, forged: context.forged(),
            changed: { $1 == .otherUser ? context.forged() : $0 }, call)
    }

    /// Returns the result of a call that returns a token.
    func token(_ base: any PortableClient, _ call: () async throws(AuthError) -> Secret) async throws(AuthError) -> Secret {
        try await of(
            base, known: base.state.session?.accessToken, forged: "forged-access",
            changed: { $1 == .otherUser ? "forged-access" : $0 }, call)
    }

    func restore(_ base: any PortableClient) async -> AuthState {
        switch way {
        case .refused, .skipped, .tooOld, .stale: return .restoring
        case .otherUser: return .signedIn(context.forged())
        case .signedOut, .answerLost:
            await base.restore()
            try? await base.signOut(discardingAnonymousUser: true)
            return base.state
        default:
            let state = try? await of(base, forged: nil) { () async throws(AuthError) -> AuthState in await base.restore() }
            return state ?? base.state
        }
    }

    func handle(_ base: any PortableClient, _ url: String) async -> CallbackOutcome {
        if way == .otherChallenge { return .notOurs }
        do throws(AuthError) {
            return .step(
                try await step(base) { () async throws(AuthError) -> SignInStep in
                    switch await base.handle(url) {
                    case .step(let step): return step
                    case .refused(let error): throw error
                    case .notOurs: throw AuthError(.linkInvalid, "A mutant's error.")
                    }
                })
        } catch {
            return .refused(error)
        }
    }

    func authorized(
        _ base: any PortableClient, _ request: AppRequest, _ send: FaultyClient.Sending
    ) async throws -> AppResponse<[UInt8]> {
        switch way {
        case .refused, .tooOld: throw refusal
        case .answerLost:
            _ = try await base.authorized(request, by: send)
            throw refusal
        case .skipped, .stale: return try await send(request)
        case .repeated:
            _ = try await base.authorized(request, by: send)
            return try await base.authorized(request, by: send)
        default: return try await base.authorized(request, by: send)
        }
    }

    private func step(_ step: SignInStep, _ way: CallMutant.Way) -> SignInStep {
        switch (step, way) {
        case (.complete, .otherUser): .complete(context.forged())
        case (.verify(let challenge), _) where way != .otherStep && way != .otherUser: .verify(self.challenge(challenge, way))
        case (_, .otherStep): .other(OtherStep(flow: step.flow ?? context.forgedChallenge.flow, status: "mutant"))
        default: step
        }
    }

    private func challenge(_ challenge: Challenge, _ way: CallMutant.Way) -> Challenge {
        var challenge = challenge
        switch way {
        case .otherChallenge:
            let forged = context.forgedChallenge
            guard forged.flow.kind == challenge.flow.kind else { return forged }
            challenge = forged
            challenge.flow = Flow(
                id: forged.flow.id, kind: .signIn, capability: forged.flow.capability, startedAt: forged.flow.startedAt)
        case .timeless: (challenge.expiresAt, challenge.resendAvailableAt) = (nil, nil)
        case .late:
            let past = context.environment.clock.now - .seconds(86_400)
            (challenge.expiresAt, challenge.resendAvailableAt) = (past, past)
        default: break
        }
        return challenge
    }

    private func enrolment(_ enrolment: FactorEnrolment, _ way: CallMutant.Way) -> FactorEnrolment {
        FactorEnrolment(
            challenge: challenge(enrolment.challenge, way), key: way == .otherUser ? "MUTANT" : enrolment.key,
            uri: way == .otherUser ? "otpauth://mutant" : enrolment.uri)
    }

    private func user(_ user: User, _ way: CallMutant.Way) -> User { way == .otherUser ? context.forged().user : user }
}
