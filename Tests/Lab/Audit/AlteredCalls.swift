import Lockstep
import LockstepContracts
import LockstepMutants

/// A client that makes some of its calls in a faulty way.
///
/// A rule creates the fault, for any call. The audit shows whether the checks of contracts notice it.
struct AlteredCalls: WrappingClient {
    /// A fault of a call.
    enum Way: Sendable {
        /// The client fails, and does not make the call.
        case refused(AuthError.Code)
        /// The client makes the call, and then fails.
        case answerLost
        /// The client returns a value that it already has, and does not make the call.
        case stale
        /// The client returns an invented success, and does not make the call.
        case skipped
        /// The client returns an invented success if the call fails.
        case letIn
        /// The client makes the call twice.
        case repeated
        /// The client sends one more request before the call.
        case wasted
        /// The client returns an unknown step.
        case otherStep
        /// The client returns another user, whose token the backend does not accept.
        case otherUser
        /// The client returns a challenge of another flow and for another recipient, which accepts no response.
        case otherChallenge
        /// The client returns a challenge without times.
        case timeless
        /// The client returns a challenge whose times are long past.
        case late
        /// The error has only a code.
        case bareError
        /// The error says that the app can try again soon, and contains no remedy.
        case hastyError
        /// The error has another code.
        case renamed(AuthError.Code)
        /// After the call, an event reports a sign-in.
        case echoed
        /// After the call, the user is signed out.
        case signedOut

        /// The faults of a single call.
        static let ofOneCall: [Way] = [
            .refused(.unknown), .refused(.reauthenticationRequired), .stale, .answerLost, .skipped, .letIn, .repeated, .wasted,
            .otherStep, .otherUser, .otherChallenge, .timeless, .late, .bareError, .hastyError, .echoed, .signedOut,
        ]

        /// The faults of every call with the same name.
        static let ofEachCall: [Way] =
            [.stale, .skipped, .letIn, .wasted]
            + [.unknown, .network, .invalidCredentials, .notSignedIn, .tooManyRequests].flatMap { (code: AuthError.Code) in
                [.refused(code), .renamed(code)]
            }
    }

    let base: any PortableClient
    let context: Mutation.Context
    let way: Way
    /// Returns whether a call has the fault, from the name of the call and its number among all calls of a check, counted from 1.
    let isChosen: @Sendable (_ name: String, _ number: Int) -> Bool

    /// Returns the change that causes the fault in the clients of a check.
    static func mutation(
        _ way: Way, where isChosen: @escaping @Sendable (_ name: String, _ number: Int) -> Bool
    ) -> Mutation {
        Mutation(client: { client, context in
            AlteredCalls(base: client, context: context, way: way, isChosen: isChosen)
        })
    }

    func perform<C: ClientCall>(_ call: C) async throws(AuthError) -> C.Output {
        guard isChosen(C.name, context.notebook.count("calls")) else { return try await base.perform(call) }
        switch way {
        case .refused(let code): return try refusal(C.self, code)
        case .answerLost:
            _ = try await base.perform(call)
            return try refusal(C.self, .unknown)
        case .stale:
            if let known = known.lazy.compactMap(C.output).first { return known }
            fallthrough
        case .skipped:
            if let forged = forged(C.self) { return forged }
            return try await base.perform(call)
        case .letIn:
            let forged = forged(C.self)
            do throws(AuthError) {
                let output = try await base.perform(call)
                return C.result(output).refusal == nil ? output : forged ?? output
            } catch {
                guard let forged else { throw error }
                return forged
            }
        case .repeated:
            _ = try? await base.perform(call)
            return try await base.perform(call)
        case .wasted:
            await context.waste()
            return try await base.perform(call)
        case .bareError: return try await failing(call) { AuthError($0.code, "A mutant's error.") }
        case .hastyError:
            return try await failing(call) { error in
                var hasty = error
                hasty.retry = .after(.milliseconds(1))
                hasty.remedies = []
                return hasty
            }
        case .renamed(let code): return try await failing(call) { $0.renamed(code) }
        case .echoed:
            let output = try await base.perform(call)
            context.events(AuthEvent(.stateChanged, at: context.environment.clock.now, [.state: "signedIn", .callID: "none"]))
            return output
        case .signedOut:
            let output = try await base.perform(call)
            try? await base.signOut(discardingAnonymousUser: true)
            return output
        case .otherStep, .otherUser, .otherChallenge, .timeless, .late:
            let output = try await base.perform(call)
            return C.output(altered(C.result(output))) ?? output
        }
    }

    private func refusal<C: ClientCall>(_ type: C.Type, _ code: AuthError.Code) throws(AuthError) -> C.Output {
        let error = AuthError(code, "A mutant's error.")
        guard let output = C.output(.refusal(error)) else { throw error }
        return output
    }

    private func failing<C: ClientCall>(
        _ call: C, _ change: (AuthError) -> AuthError
    ) async throws(AuthError) -> C.Output {
        do throws(AuthError) {
            let output = try await base.perform(call)
            return C.result(output).refusal.flatMap { C.output(.refusal(change($0))) } ?? output
        } catch {
            throw change(error)
        }
    }

    /// The results that the client knows without a call.
    private var known: [CallResult] {
        let session = base.state.session
        let step = base.pending ?? session.map { .complete($0) }
        return [
            step.map(CallResult.step), session.map(CallResult.session), session.map { .token($0.accessToken) },
            session.map { .user($0.user) },
        ].compactMap(\.self)
    }

    /// Returns an invented result.
    private func forged<C: ClientCall>(_ type: C.Type) -> C.Output? {
        let session = context.forged()
        let results: [CallResult] = [
            .step(.complete(session)), .session(session), .user(base.state.session?.user ?? session.user),
            .token(session.accessToken), .challenge(context.forgedChallenge),
            .enrolment(FactorEnrolment(challenge: context.forgedChallenge)), .state(.restoring), .factors([]), .passkeys([]),
            .organizations([]), .codes([]), .done,
        ]
        return results.lazy.compactMap(C.output).first
    }

    private func altered(_ result: CallResult) -> CallResult {
        switch (way, result) {
        case (.otherUser, .step(.complete)): .step(.complete(context.forged()))
        case (.otherUser, .session): .session(context.forged())
        case (.otherUser, .state): .state(.signedIn(context.forged()))
        case (.otherUser, .user): .user(context.forged().user)
        case (.otherUser, .token): .token(context.forged().accessToken)
        case (.otherUser, .enrolment(let enrolment)):
            .enrolment(FactorEnrolment(challenge: enrolment.challenge, key: "MUTANT", uri: "otpauth://mutant"))
        case (.otherUser, .factors): .factors([])
        case (.otherUser, .passkeys): .passkeys([])
        case (.otherUser, .organizations): .organizations([])
        case (.otherUser, .codes): .codes([])
        case (.otherStep, .step(let step)):
            .step(.other(OtherStep(flow: step.flow ?? context.forgedChallenge.flow, status: "mutant")))
        case (.otherStep, .factors(let all)): .factors(all + all)
        case (.otherStep, .passkeys(let all)): .passkeys(all + all)
        case (.otherStep, .organizations(let all)): .organizations(all + all)
        case (.otherStep, .codes(let all)): .codes(all + all)
        case (.otherChallenge, _): result.changing { $0 = other($0) }
        case (.timeless, _): result.changing { ($0.expiresAt, $0.resendAvailableAt) = (nil, nil) }
        case (.late, _):
            result.changing { challenge in
                let past = context.environment.clock.now - .seconds(86_400)
                (challenge.expiresAt, challenge.resendAvailableAt) = (past, past)
            }
        default: result
        }
    }

    private func other(_ challenge: Challenge) -> Challenge {
        var forged = context.forgedChallenge
        guard forged.flow.kind == challenge.flow.kind else { return forged }
        forged.flow = Flow(
            id: forged.flow.id, kind: .signIn, capability: forged.flow.capability, startedAt: forged.flow.startedAt)
        return forged
    }
}
