internal import LockstepPrimitives
internal import Synchronization

/// The content of the session slot: the session, and the replaced sessions that must still be ended on the backend.
///
/// One write stores both. So a sign-in that replaces a session waits for the disk once, and ends the old session on the
/// backend afterwards. If the process is killed before that, the note stays, and the next launch sends it.
struct StoredSession: Sendable, Codable {
    var session: Session
    var replaced: [Revocation]

    private enum CodingKeys: CodingKey { case replaced }

    init(_ session: Session, replaced: [Revocation] = []) {
        self.session = session
        self.replaced = replaced
    }

    /// Also reads the format of older versions, which has no notes.
    ///
    /// If the notes cannot be read, the session is still used.
    init(from decoder: any Decoder) throws {
        session = try Session(from: decoder)
        replaced = (try? decoder.container(keyedBy: CodingKeys.self).decode([Revocation].self, forKey: .replaced)) ?? []
    }

    /// Writes the notes next to the session's members, so that older versions can read the session.
    func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        guard !replaced.isEmpty else { return }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(replaced, forKey: .replaced)
    }
}

extension StoredSlot<StoredSession>.Content {
    var stored: SessionMachine.Stored? {
        guard let value, let revision else { return nil }
        return .init(session: value.session, revision: revision)
    }
}

extension SessionCoordinator {
    /// Stores a session, with notes about the sessions that this sign-in and earlier ones have replaced.
    ///
    /// The caller must have the turn at the store in this process.
    func write(
        _ session: Session, replacing replaced: [Session], over revision: Revision?
    ) async throws(StoreError) -> Revision {
        let now = effects.clock.now
        let notes = context.state.withLock { state in
            let new = replaced.map { Revocation(ended: $0, since: now) }
            return Array((state.sessions.replaced + new).filter { !$0.ended.isSame(as: session) }.suffix(Revocation.limit))
        }
        let written = try await context.slots.session.write(StoredSession(session, replaced: notes), over: revision)
        context.state.withLock { $0.sessions.replaced = notes }
        return written
    }

    /// Ends the sessions that a sign-in replaced, after the sign-in has returned.
    func endBehind(_ replaced: [Session]) {
        guard !replaced.isEmpty else { return }
        // The requests belong to the call that replaced the sessions, so they carry its trace.
        let trace = TraceContext.current
        inBackground("sendRevocations") {
            await TraceContext.$current.withValue(trace) { await self.endNow(replaced) }
        }
    }

    private func endNow(_ replaced: [Session]) async {
        let notes = context.state.withLock { state in
            state.sessions.replaced.filter { note in replaced.contains { $0.isSame(as: note.ended) } }
        }
        await sendReplaced(notes)
        // A session whose note could not be stored with the new session gets its own revocation.
        for session in replaced where !notes.contains(where: { $0.ended.isSame(as: session) }) { await revoke(session) }
    }

    /// Sends the notes that are stored together with the session.
    ///
    /// A note that does not reach the backend is added to the list of revocations.
    func sendReplaced(_ notes: [Revocation]) async {
        guard !notes.isEmpty else { return }
        for note in notes {
            guard let left = await send(note) else { continue }
            context.state.withLock { state in
                if !state.store.revocations.toNote.contains(left) { state.store.revocations.toNote.append(left) }
            }
            await persist(.revocations)
        }
        do throws(StoreError) {
            try await forgetReplaced(notes)
        } catch {
            // The notes stay until the session is written again. The next launch may send them again, which does no harm.
        }
    }

    /// Removes the notes that are stored together with the session, and leaves the session unchanged.
    private func forgetReplaced(_ notes: [Revocation]) async throws(StoreError) {
        try await context.locks.enter(context.slots.session.key, lockTimeout: options.lockTimeout)
        defer { context.locks.leave(context.slots.session.key) }
        for _ in 0..<8 {
            let slot = try await loadSession()
            guard let stored = slot.value, let revision = slot.revision else { return }
            let left = stored.replaced.filter { note in !notes.contains { $0.ended.isSame(as: note.ended) } }
            context.state.withLock { $0.sessions.replaced = left }
            guard left.count < stored.replaced.count else { return }
            do throws(StoreError) {
                let next = try await context.slots.session.write(
                    StoredSession(stored.session, replaced: left), over: revision)
                return change { $0.sessions.machine.isRewritten(revision, as: next) }
            } catch  where error.code == .conflict {}
        }
    }
}
