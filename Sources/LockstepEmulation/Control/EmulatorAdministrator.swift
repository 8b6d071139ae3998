public import LockstepPrimitives

/// Administrative changes to the users and settings of an emulated backend, without the wire: the same calls on every emulator.
///
/// The wire has each provider's own word for a user who may not sign in: `disabled`, `banned`, `ban_duration`. Here it is *disabled*.
public protocol EmulatorAdministrator: AccountAdministrator, SettingsAdministrator {
    /// The backend's settings.
    associatedtype Settings: EmulatorSettings

    /// The settings as they are now and as they were at the start.
    var settingsStore: SettingsStore<Settings> { get }

    /// Changes the settings, from the next request on and until the next reset.
    func change(_ body: (inout Settings) -> Void) throws

    /// How many users there are.
    func userCount() throws -> Int
}

extension EmulatorAdministrator {
    /// Disables a user, whose sign-in is rejected from now on, or enables them again.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether sign-in is rejected.
    ///   - id: The id of the user.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for an id of no user.
    public func setDisabled(_ isDisabled: Bool, of id: String) async throws {
        var values = UserValues()
        values.isDisabled = isDisabled
        try await set(values, of: id)
    }

    /// Sets another password, without checking the policy.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - id: The id of the user.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` for an id of no user.
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
/// Emulators give one as ``Emulator/accounts``; then their server has the routes of users.
public protocol AccountAdministrator: Sendable {
    /// Users in the order of their ids' keys, such as their creation.
    ///
    /// - Parameters:
    ///   - query: A part of an id, address, number or name, in any case; `nil` for all.
    ///   - after: The id of the last user of the page before; `nil` for the first page.
    ///   - limit: How many at most.
    func users(matching query: String?, after: String?, limit: Int) throws -> [ControlledUser]

    /// A user by id; `nil` if there is none.
    func controlledUser(_ id: String) throws -> ControlledUser?

    /// Creates a user.
    ///
    /// - Throws: ``UserValueError``.
    func make(_ values: UserValues) async throws -> ControlledUser

    /// Changes a user; does nothing where there is none of that id.
    ///
    /// - Throws: ``UserValueError``.
    func update(_ id: String, _ values: UserValues) async throws

    /// Deletes a user with all data of theirs.
    func deleteUser(_ id: String) throws

    /// The live sessions of a user, the oldest first.
    func controlledSessions(of id: String) throws -> [ControlledSession]

    /// Ends a session.
    ///
    /// - Returns: Whether there was one of that id.
    func endSession(_ id: String) throws -> Bool

    /// Ends all sessions of a user.
    func revokeSessions(of id: String) throws

    /// Opens a session of a user, as the provider's own code does for a sign-in.
    ///
    /// - Parameter secondFactor: Whether the session counts as one with a second factor.
    /// - Throws: ``UserValueError/unsupported(_:)`` where the provider cannot.
    func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession

    /// The second factors of a user, the oldest first, with their secrets.
    ///
    /// - Parameter id: The id of the user.
    func factors(of id: String) throws -> [ControlledFactor]

    /// Enrolls a second factor without a challenge.
    ///
    /// - Parameters:
    ///   - values: The factor.
    ///   - id: The id of the user.
    /// - Returns: The factor with its secret.
    /// - Throws: ``UserValueError`` if the provider or its settings have no such factor.
    func addFactor(_ values: FactorValues, to id: String) throws -> ControlledFactor

    /// The code that a second factor accepts now: the app's by the backend's clock, or the last one that was sent to the phone.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - id: The id of the user.
    /// - Returns: The code; `nil` if none was sent, or the last one was used or has expired.
    func code(of factor: ControlledFactor, of id: String) throws -> FactorCode?

    /// Removes a second factor.
    ///
    /// - Parameters:
    ///   - factorID: The id of the factor.
    ///   - id: The id of the user.
    /// - Returns: Whether the user had it.
    func removeFactor(_ factorID: String, of id: String) throws -> Bool
}
