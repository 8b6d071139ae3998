internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Takes a URL that the app was opened with.
    ///
    /// Give it every URL: one that is not ours is reported as such and has no effect. A URL that launched the app waits until the
    /// store has been read. The same URL delivered twice, even at once, makes one exchange and one result, as long as that result
    /// is valid: after a sign-out, or for another user, the backend is asked anew.
    @concurrent
    public func handle(_ url: String) async -> CallbackOutcome {
        guard isOurs(url) else { return .notOurs }
        return await deliveries.outcome(of: url, recall: recall, remember: { self.memory(of: $0) }) { [self] in
            do throws(AuthError) {
                return try await call("handle") { () async throws(AuthError) in try await self.exchange(url) }
            } catch {
                return .refused(error)
            }
        }
    }

    /// The outcome for a remembered result; `nil` where that is obsolete.
    private func recall(_ memory: Deliveries.Memory) -> CallbackOutcome? {
        core.withLock { core in
            switch memory {
            case .session(core.generation): core.session.map { .step(.complete($0)) }
            case .step(let step, core.generation):
                if case .identityConflict = step { .step(step) } else { core.step(of: step.flow).map { .step($0) } }
            case .refusal(let error, core.generation): .refused(error)
            default: nil
            }
        }
    }

    /// The part of a result that is remembered: no failure that may succeed next time, and a session only as a reference to the
    /// shown one.
    private func memory(of outcome: CallbackOutcome) -> Deliveries.Memory? {
        core.withLock { core in
            switch outcome {
            case .notOurs: return nil
            case .refused(let error):
                let isFinal = error.retry == .never && error.code != .flowStartedElsewhere
                return isFinal ? .refusal(error, generation: core.generation) : nil
            case .step(.complete(let session)):
                return core.session?.isSame(as: session) == true ? .session(generation: core.generation) : nil
            case .step(let step): return .step(step, generation: core.generation)
            }
        }
    }

    /// Follows a link that the app passes to a flow itself.
    func follow(_ url: String) async throws(AuthError) -> SignInStep {
        switch await handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs:
            throw AuthError(.linkInvalid, "This link leads to an address that is not one of this app's callback addresses.")
        }
    }

    /// Whether scheme, host, port and path are those of one of our addresses; what follows them may be broken.
    private func isOurs(_ url: String) -> Bool {
        let place = url.prefix { $0 != "?" && $0 != "#" }
        guard let callback = try? Callback(String(place.prefix(Callback.limit))) else { return false }
        return addresses.contains { $0.matches(callback) }
    }

    private func exchange(_ url: String) async throws(AuthError) -> CallbackOutcome {
        let callback = try Callback(url)
        switch adapter.callbacks.read(callback) {
        case .notOurs: return .notOurs
        case .refusal(let error): return .refused(error)
        case .proof(let kinds, let state):
            guard let record = core.withLock({ $0.pending }), kinds.contains(record.memory.flow.kind),
                record.step?.accepts.contains(.link) == true
            else { throw startedElsewhere }
            if let expected = record.memory.notes[FlowMemory.stateNote], expected != state { throw startedElsewhere }
            return .step(try await attempt(.link(url), on: record))
        }
    }

    private var startedElsewhere: AuthError {
        AuthError(
            .flowStartedElsewhere,
            "This device did not begin the flow of this link. Open it where it was asked for, type the code of the message, or begin again.",
            remedies: [.enterCode, .confirmEmail, .startAgain])
    }
}
