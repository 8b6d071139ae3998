extension AuthError {
    /// There is no session.
    static let notSignedIn = AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn])

    /// The session of this call's user is not the one on this device any more.
    static let anotherUser = AuthError(
        .notSignedIn, "Another user has signed in on this device, in another process. Look at the state before going on.")

    /// A result of an older flow, which is rejected.
    static let flowOvertaken = AuthError(
        .flowAbandoned, "A newer flow or a sign-out came before this answer, which changes nothing.")

    /// The store failed; the session is unchanged.
    static func unavailable(_ error: StoreError) -> AuthError {
        guard error.code != .busy else {
            return AuthError(
                .timedOut,
                "Another process, or another call, has been busy with the stored session for as long as this call may wait.",
                retry: .now, underlying: error)
        }
        return AuthError(.storeUnavailable, error.message, retry: .now, underlying: error)
    }

    /// Signed out in memory, but not in the store.
    static func notRemoved(_ error: StoreError) -> AuthError {
        AuthError(
            .storeUnavailable,
            "The session is gone from memory and could not be removed from the store (\(error.message)). "
                + "That is tried again while the app runs; sign out again before it ends.",
            retry: .now, underlying: error)
    }
}
