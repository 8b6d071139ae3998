public import LockstepPrimitives

/// Administrative changes to users and settings of an emulated backend, without HTTP: the same calls on every emulator.
///
/// Each provider has its own word for a user who may not sign in: `disabled`, `banned`, `ban_duration`. Here it is *disabled*.
public protocol EmulatorAdministrator: AccountAdministrator, SettingsAdministrator {
    /// The backend's settings.
    associatedtype Settings: EmulatorSettings

    /// The settings as they are now and as they were at the start.
    var settingsStore: SettingsStore<Settings> { get }

    /// Changes the settings from the next request until the next reset.
    func change(_ body: (inout Settings) -> Void) throws

    /// Returns the number of users.
    func userCount() throws -> Int
}

extension EmulatorAdministrator {
    /// Disables or enables a user.
    ///
    /// The sign-in of a disabled user is rejected.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether sign-in is rejected.
    ///   - id: The id of the user.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` if no user has the id.
    public func setDisabled(_ isDisabled: Bool, of id: String) async throws {
        var values = UserValues()
        values.isDisabled = isDisabled
        try await set(values, of: id)
    }

    /// Sets a new password without checking the policy.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - id: The id of the user.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` if no user has the id.
    public func setPassword(_ password: Secret, of id: String) async throws {
        var values = UserValues()
        values.password = password
        try await set(values, of: id)
    }

    private func set(_ values: UserValues, of id: String) async throws {
        guard try controlledUser(id) != nil else { throw UserValueError.invalid("id", expected: "the id of a user") }
        try await update(id, values)
    }
}

/// An administrator who creates, finds and changes users, and opens and ends their sessions, for the control routes.
///
/// If an emulator returns one as ``Emulator/accounts``, its server has the routes of users.
public protocol AccountAdministrator: Sendable {
    /// Returns users in a fixed order, such as the order of their creation.
    ///
    /// The result is the users in a fixed order, such as the order of their creation.
    ///
    /// - `query`: A part of an id, address, number or name, in any case; `nil` for all.
    /// - `after`: The id of the last user of the previous page; `nil` for the first page.
    func users(matching query: String?, after: String?, limit: Int) throws -> [ControlledUser]

    /// Returns the user with an id; `nil` if there is none.
    func controlledUser(_ id: String) throws -> ControlledUser?

    /// Creates a user.
    ///
    /// - Throws: ``UserValueError``.
    func make(_ values: UserValues) async throws -> ControlledUser

    /// Changes a user; does nothing if no user has the id.
    ///
    /// - Throws: ``UserValueError``.
    func update(_ id: String, _ values: UserValues) async throws

    /// Deletes a user with all their data.
    func deleteUser(_ id: String) throws

    /// Returns the active sessions of a user, oldest first.
    func controlledSessions(of id: String) throws -> [ControlledSession]

    /// Ends a session.
    ///
    /// - Returns: Whether there was a session with that id.
    func endSession(_ id: String) throws -> Bool

    /// Ends all sessions of a user.
    func revokeSessions(of id: String) throws

    /// Opens a session for a user in the same way as a sign-in.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - secondFactor: Whether the session has passed a second factor.
    /// - Returns: The session for a user in the same way as a sign-in.
    /// - Throws: ``UserValueError/unsupported(_:)`` if the provider does not support it.
    func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession

    /// Returns the second factors of a user with their secrets, oldest first.
    func factors(of id: String) throws -> [ControlledFactor]

    /// Enrolls a second factor without a challenge.
    ///
    /// - Parameters:
    ///   - values: The factor.
    ///   - id: The id of the user.
    /// - Returns: The factor with its secret.
    /// - Throws: ``UserValueError`` if the provider or its settings do not support such a factor.
    func addFactor(_ values: FactorValues, to id: String) throws -> ControlledFactor

    /// Returns the code that a second factor accepts now: the code of the app by the backend's clock, or the last code that was
    /// sent to the phone.
    ///
    /// The result is the code; `nil` if none was sent, or the last one was used or has expired.
    func code(of factor: ControlledFactor, of id: String) throws -> FactorCode?

    /// Removes a second factor.
    ///
    /// The result is whether the user had the factor.
    func removeFactor(_ factorID: String, of id: String) throws -> Bool
}
