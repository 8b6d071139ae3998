internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// A verification that the provider returned with an identity conflict, for the sign-in to the account that has the
/// identity.
struct Handover: Sendable {
    /// A digest that identifies the sign-in that will use the verification.
    var fingerprint: String
    /// The capability of its credential.
    var capability: Capability
    /// The address or number of its credential.
    var identifier: String
    /// The verification, by the name of its note.
    var notes: [String: Secret]
    /// The time for which the verification is valid.
    var life: Duration

    /// The maximum time for which a verification is kept.
    ///
    /// Later, a sign-in without a code would be a surprise.
    static let longestLife = Duration.seconds(15 * 60)
}

extension FlowMemory {
    /// Keeps a verification that the provider returned together with an identity conflict.
    ///
    /// An adapter calls this method before it returns `identityConflict`. The client stores the verification. When the
    /// user signs in with the same credential, the client sets the note in the memory of that sign-in. So the sign-in
    /// to the other account needs no second message. The client discards the verification after 15 minutes, when the
    /// current session ends, or when the conflict's flow is cancelled.
    ///
    /// - Parameters:
    ///   - proof: The verification that the provider returned.
    ///   - note: The note in which the sign-in finds the verification.
    ///   - credential: The credential of the sign-in. The credential must have an identifier.
    ///   - life: The time for which the provider accepts the verification.
    public func handOver<C: Credential>(
        _ proof: Secret, as note: FlowNote<Secret>, toSignInWith credential: C, for life: Duration
    ) {
        guard let identifier = credential.identifier else { return }
        let handover = Handover(
            fingerprint: Self.fingerprint(C.capability, .signIn, identifier), capability: C.capability, identifier: identifier,
            notes: [note.name: proof], life: life.clamped(to: .zero...Handover.longestLife))
        state.withLock { $0.handover = handover }
    }

    /// Returns a digest that identifies a repeated call without containing the address.
    ///
    /// - Returns: An empty text if the credential has no identifier.
    static func fingerprint(_ capability: Capability, _ kind: Flow.Kind, _ identifier: String?) -> String {
        guard let identifier else { return "" }
        let text = [capability.rawValue, kind.rawValue, identifier.lowercased()].joined(separator: "\n")
        return Hex.encode(HashFunction.sha256.digest(Array(text.utf8)))
    }
}

extension FlowCoordinator {
    /// Ends a flow that nobody can respond to anymore, because its page, link or code was used and returned a conflict.
    ///
    /// If the provider returned a verification with the conflict, the same write stores it.
    func endSpent(_ flow: Flow, handingOver handover: Handover? = nil) async {
        let changes = sessions.change { state in
            let isKept = state.keep(handover, of: flow, on: effects.clock)
            guard state.flows.pending?.memory.flow.id == flow.id else { return isKept }
            state.flows.pending = nil
            state.askForProof(adapter, effects)
            return true
        }
        if changes { await sessions.persist(.flow) }
    }

    /// Keeps the verification of a conflict that came after its caller had stopped waiting.
    func keepLate(_ handover: Handover?, of flow: Flow) async {
        guard sessions.change({ $0.keep(handover, of: flow, on: effects.clock) }) else { return }
        await sessions.persist(.flow)
    }

    /// Removes the verification of a conflict that the user has cancelled.
    ///
    /// - Returns: Whether the flow ended in that conflict.
    func leaveConflict(of flow: Flow) async -> Bool {
        let isLeft = sessions.change { state in
            guard state.flows.conflict?.memory.flow.id == flow.id else { return false }
            state.flows.conflict = nil
            return true
        }
        if isLeft { await sessions.persist(.flow) }
        return isLeft
    }
}

extension ClientState {
    /// Keeps the verification of a conflict for the signed-in user.
    ///
    /// - Returns: Whether there is one.
    fileprivate mutating func keep(_ handover: Handover?, of flow: Flow, on clock: any DeviceClock) -> Bool {
        guard let handover, let user = session?.user.id else { return false }
        let next = Flow(id: flow.id, kind: .signIn, capability: handover.capability, startedAt: clock.now)
        let contents = FlowMemory.Contents(flow: next, notes: handover.notes, user: user, address: handover.identifier)
        flows.conflict = FlowRecord(
            fingerprint: handover.fingerprint, ordinal: flows.currentOrdinal, unfinished: nil, memory: contents,
            life: TokenLifetime(life: handover.life, clock: clock))
        return true
    }

    /// Returns the notes for the sign-in to the other account of a conflict, while the verification is valid.
    func notesOfConflict(for fingerprint: String, on clock: any DeviceClock) -> [String: Secret] {
        guard let conflict = flows.conflict, !fingerprint.isEmpty, conflict.fingerprint == fingerprint,
            conflict.memory.user?.exact == session?.user.id.exact,
            !conflict.isOver(on: clock)
        else { return [:] }
        return conflict.memory.notes
    }
}
