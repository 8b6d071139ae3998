internal import LockstepPrimitives
internal import Synchronization

/// Changes to a user's account that need no flow.
///
/// The app calls them directly, and flows use them as parts.
struct AccountChanges: Sendable {
    let context: ClientContext
    let sessions: SessionCoordinator

    private var adapter: any AuthAdapter { context.adapter }

    /// Changes the profile.
    ///
    /// - Returns: The session with the changed user.
    func update(_ changes: ProfileChanges) async throws(AuthError) -> Session {
        guard let feature = adapter.profile else { throw context.unsupported(.displayName) }
        return try await changed { session async throws(AuthError) in try await feature.update(changes, of: session) }
    }

    /// Sets a new password because the app asked for it.
    func changePassword(to new: Secret, current: Secret?) async throws(AuthError) {
        guard let feature = adapter.passwordChange else { throw context.unsupported(.passwordChange) }
        _ = try SensitiveCall.changePassword(to: new, current: current).normalized()
        try await change("account.changePassword") { session async throws(AuthError) in
            try await feature.change(to: new, current: current, of: session)
        }
    }

    /// Deletes the account because the app asked for it.
    func delete() async throws(AuthError) {
        guard let feature = adapter.accountDeletion else { throw context.unsupported(.accountDeletion) }
        try await sessions.call("account.delete") { () async throws(AuthError) in
            let generation = context.state.withLock { $0.generation }
            try await sessions.asUser { session async throws(AuthError) in
                try await sessions.ask(late: { _ in await signOutDeleted(in: generation) }) { () async throws(AuthError) in
                    try await feature.delete(session)
                }
            }
            await signOutDeleted(in: generation)
        }
    }

    /// Signs the user out on this device after the backend has deleted the account.
    private func signOutDeleted(in generation: Int) async {
        let now: Int? = sessions.change { state in
            guard state.generation == generation else { return nil }
            state.signOut(because: .userDeleted, at: context.effects.clock.now)
            return state.generation
        }
        guard let now else { return }
        _ = await sessions.leave(in: now)
    }

    /// Runs a call of the app that changes the user's account.
    func change(
        _ name: String, _ feature: @escaping @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) {
        try await sessions.call(name) { () async throws(AuthError) in _ = try await changed(feature) }
    }

    /// Makes a change, and stores the session that results from it.
    func changed(
        _ feature: @escaping @Sendable (Session) async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let generation = context.state.withLock { $0.generation }
        return try await sessions.asUser { session async throws(AuthError) in
            try await sessions.changed(session, in: generation) { () async throws(AuthError) in try await feature(session) }
        }
    }
}
