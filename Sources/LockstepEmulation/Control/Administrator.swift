public import LockstepPrimitives

/// Administrative changes to the users and settings of an emulated backend, without the wire: the same calls on every emulator.
///
/// The wire has each provider's own word for a user who may not sign in: `disabled`, `banned`, `ban_duration`. Here it is *disabled*.
public protocol Administrator: Sendable {
    /// The backend's settings.
    associatedtype Settings

    /// Changes the settings, from the next request on.
    func change(_ body: (inout Settings) -> Void) throws

    /// How many users there are.
    func userCount() throws -> Int

    /// Disables a user, whose sign-in is refused from now on, or enables them again.
    func setDisabled(_ isDisabled: Bool, of userID: String) throws

    /// Sets another password, without checking the policy.
    func setPassword(_ password: Secret, of userID: String) async throws

    /// Ends all sessions of a user.
    func revokeSessions(of userID: String) throws

    /// Deletes a user with all data of theirs.
    func deleteUser(_ userID: String) throws
}
