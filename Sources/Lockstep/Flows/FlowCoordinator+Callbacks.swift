internal import LockstepPrimitives
internal import Synchronization

extension FlowCoordinator {
    /// Handles a URL that opened the app.
    ///
    /// If the same URL arrives twice, the client sends it to the backend once.
    ///
    /// A backend may send every redirect back to the same URL. If a newer flow waits for the URL, the URL belongs to
    /// that flow.
    func handle(_ url: String) async -> CallbackOutcome {
        guard isOurs(url) else { return .notOurs }
        return await deliveries.outcome(of: name(of: url), isOld: isOld, recall: recall, remember: { self.memory(of: $0, $1) }) {
            [self] in
            do throws(AuthError) {
                return try await sessions.call("handle") { [delivery = $0] () async throws(AuthError) in
                    delivery.begin(for: self.context.state.withLock { $0.flows.pending?.ordinal ?? $0.flows.lastOrdinal })
                    return try await self.exchange(url, delivery)
                }
            } catch {
                return .refused(error)
            }
        }
    }

    /// Returns whether a flow is in progress that began after the delivery's flow.
    private func isOld(_ delivery: Delivery) -> Bool {
        guard let flow = delivery.flow else { return false }
        return context.state.withLock { $0.flows.hasFlow(after: flow) }
    }

    /// Returns the outcome for a remembered result; `nil` if the result is obsolete.
    private func recall(_ memory: Deliveries.Memory) -> CallbackOutcome? {
        context.state.withLock { state in
            guard memory.generation == state.generation, !state.flows.hasFlow(after: memory.flow) else { return nil }
            switch memory.result {
            case .session: return state.session.map { .step(.complete($0)) }
            case .step(let step):
                if case .identityConflict = step { return .step(step) }
                return state.flows.step(of: step.flow).map { .step($0) }
            case .refusal(let error): return .refused(error)
            }
        }
    }

    /// Returns the part of a result to remember: no failure that a retry may fix, and only a reference to the current session.
    private func memory(of outcome: CallbackOutcome, _ delivery: Delivery) -> Deliveries.Memory? {
        guard let flow = delivery.flow else { return nil }
        return context.state.withLock { state in
            let result: Deliveries.Memory.Result
            switch outcome {
            case .notOurs: return nil
            case .refused(let error):
                guard error.isVerdict, error.code != .flowStartedElsewhere else { return nil }
                // An unknown error says nothing about the link. For example, a firewall may stop rejecting it a moment later.
                guard error.code != .unknown || error.provider?.status == nil else { return nil }
                result = .refusal(error)
            case .step(.complete(let session)):
                guard state.session?.isSame(as: session) == true else { return nil }
                result = .session
            case .step(let step): result = .step(step)
            }
            return Deliveries.Memory(result: result, generation: state.generation, flow: flow)
        }
    }

    /// Follows a link that the app passed as a response to a flow.
    func follow(_ url: String) async throws(AuthError) -> AuthStep {
        switch await handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs:
            throw AuthError(.linkInvalid, "This link does not belong to one of the app's callback addresses.")
        }
    }

    /// Returns whether scheme, host, port and path match one of this app's addresses.
    ///
    /// The rest of the URL may be invalid.
    private func isOurs(_ url: String) -> Bool {
        let place = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.prefix(Callback.limit)
        guard let callback = try? Callback(String(Substring(place))) else { return false }
        return adapter.callbacks.addresses.contains { $0.matches(callback) }
    }

    /// Returns the name of a delivery.
    ///
    /// Links that differ only in parameters that others add have the same name.
    private func name(of url: String) -> String {
        let reading = adapter.callbacks
        return (try? Callback(url, deciding: reading.decides))?.identity(deciding: reading.decides) ?? url
    }

    private func exchange(_ url: String, _ delivery: Delivery) async throws(AuthError) -> CallbackOutcome {
        let callback = try Callback(url, deciding: adapter.callbacks.decides)
        switch adapter.callbacks.read(callback) {
        case .notOurs: return .notOurs
        case .refusal(let error):
            guard let conflict = conflict(error) else { return .refused(error) }
            await endSpent(conflict.flow)
            return .step(.identityConflict(conflict))
        case .proof(let kinds, let state):
            let name = OpenedLinkNotes.name(of: callback.identity(deciding: adapter.callbacks.decides))
            try await adoptStoredFlow()
            guard let record = context.state.withLock({ $0.flows.pending }), kinds.contains(record.memory.flow.kind),
                record.step?.accepts.contains(.link) == true,
                record.memory.notes[FlowMemory.stateNote].map({ $0 == state }) ?? true
            else { return try await open(callback, name, delivery) }
            let mayBeUsed = try await isUsed(name)
            do throws(AuthError) {
                return .step(try await attempt(.link(url), on: record, using: name))
            } catch {
                // This link belongs to an earlier flow. This device knows more about it than the backend reports.
                guard [.linkInvalid, .linkExpired, .flowStartedElsewhere].contains(error.code), mayBeUsed else {
                    throw error
                }
                throw used(by: error)
            }
        }
    }

    /// Opens a link that no flow waits for: an invitation, or a link whose request got no response.
    ///
    /// - Parameters:
    ///   - callback: The link.
    ///   - name: The name of the link's flow.
    ///   - delivery: The delivery of the URL.
    /// - Returns: The outcome.
    /// - Throws: `linkUsed` if this device has used the link; `flowStartedElsewhere` if only the flow that requested it
    ///   can use it. In both cases no request is sent.
    private func open(
        _ callback: Callback, _ name: String, _ delivery: Delivery
    ) async throws(AuthError) -> CallbackOutcome {
        let device = try await notesOfDevice()
        if OpenedLinkNotes.used.contains(name, in: device) { throw used(by: nil) }
        guard let links = adapter.unrequestedLinks, let kind = links.kind(of: callback, on: device) else {
            throw startedElsewhere(callback)
        }
        if !kind.isOfSignedInUser {
            try refuseWhileSignedIn()
        } else if context.state.withLock({ $0.session }) == nil {
            throw startedElsewhere(callback)
        }
        let capability: Capability = kind == .emailChange ? .emailChange : kind.isOfSignedInUser ? .emailLinkSignIn : .ticket
        let step = try await begin(capability, kind: kind, identifier: nil) { memory async throws(AuthError) in
            let step = try await links.open(callback, in: memory)
            OpenedLinkNotes.used.insert(name, in: memory)
            return step
        }
        delivery.begin(for: context.state.withLock { $0.flows.pending?.ordinal ?? $0.flows.lastOrdinal })
        return .step(step)
    }

    /// Rejects a link that signs a user in if a user is already signed in.
    private func refuseWhileSignedIn() throws(AuthError) {
        switch sessions.state {
        case .anonymous:
            throw AuthError(
                .anonymousUserWouldBeLost,
                "This link signs in another user. To discard the anonymous user, sign out with discardingAnonymousUser: true, and open the link again.",
                remedies: [.linkAnonymousUser])
        default:
            guard context.state.withLock({ $0.session }) == nil else {
                throw AuthError(
                    .userMismatch,
                    "This link signs a user in, but a user is already signed in. Sign out first, then open the link again.",
                    remedies: [.startAgain])
            }
        }
    }

    /// Returns whether the backend has accepted the link, or may have: an earlier request with it got no response.
    private func isUsed(_ name: String) async throws(AuthError) -> Bool {
        let device = try await notesOfDevice()
        return OpenedLinkNotes.used.contains(name, in: device) || OpenedLinkNotes.unanswered.contains(name, in: device)
    }

    /// Returns the notes of this device, in a memory without a flow.
    private func notesOfDevice() async throws(AuthError) -> FlowMemory {
        let flow = Flow(id: "", kind: .signIn, capability: .ticket, startedAt: effects.clock.now)
        return FlowMemory(
            FlowMemory.Contents(flow: flow), device: try await sessions.deviceNotes(),
            session: context.state.withLock { $0.session })
    }

    /// Returns the error for a link that this device has used.
    private func used(by error: AuthError?) -> AuthError {
        let isSignedIn = context.state.withLock { $0.session } != nil
        return AuthError(
            .linkUsed,
            isSignedIn
                ? "This device has already used the link, and a user is signed in. Nothing more is needed."
                : "This device has already used the link. Start again to get a new link.",
            remedies: isSignedIn ? [] : [.startAgain], provider: error?.provider)
    }

    /// Returns the conflict if the page of an identity provider reported that another user has the identity.
    private func conflict(_ error: AuthError) -> IdentityConflictStep? {
        let (pending, session) = context.state.withLock { ($0.flows.pending, $0.session) }
        guard let pending, let session, case .redirect(let step)? = pending.step, step.flow.kind == .linking,
            pending.memory.user?.exact == session.user.id.exact,
            [.identityAlreadyInUse, .emailAlreadyInUse, .phoneAlreadyInUse].contains(error.code)
        else { return nil }
        return IdentityConflictStep(
            flow: step.flow, currentUserID: session.user.id, signInMethods: [step.flow.capability])
    }

    private func startedElsewhere(_ callback: Callback) -> AuthError {
        let reading = adapter.callbacks
        let ticket = adapter.unrequestedLinks?.ticketName(in: callback).map { name in
            " If your own server created the link, sign in with its \(name): signIn(with: .ticket(…))."
        }
        return AuthError(
            .flowStartedElsewhere,
            "This device did not start the flow of this link. Open it on the device that requested it, "
                + (reading.linksComeWithCodes ? "type the code of the message, or start again." : "or start again.")
                + (ticket ?? ""),
            remedies: (reading.linksComeWithCodes ? [.enterCode] : []) + [.startAgain])
    }
}
