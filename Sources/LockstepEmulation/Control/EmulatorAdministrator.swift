public import LockstepPrimitives
public import LockstepUserFields

/// Functions that change the users and settings of an emulator in the same process, without HTTP.
///
/// The calls are the same on every emulator. Each provider has its own word for a user who cannot sign in: `disabled`, `banned`,
/// `ban_duration`. Here the word is *disabled*.
public protocol EmulatorAdministrator: AccountAdministrator, SettingsAdministrator {
    /// The type of the settings.
    associatedtype Settings: EmulatorSettings

    /// The settings as they are now, and as they were at the start.
    var settingsStore: SettingsStore<Settings> { get }

    /// Changes the settings for all requests from now on, until the next reset.
    ///
    /// - Parameter body: A closure that changes the settings.
    /// - Throws: An error if the settings contradict each other.
    func change(_ body: (inout Settings) -> Void) throws

    /// Returns the number of users.
    func userCount() throws -> Int
}

extension EmulatorAdministrator {
    /// Disables or enables a user.
    ///
    /// A disabled user cannot sign in.
    ///
    /// - Parameters:
    ///   - isDisabled: Whether the user is to be disabled.
    /// - Throws: ``UserValueError/invalid(_:expected:)`` if no user has the id.
    public func setDisabled(_ isDisabled: Bool, of id: String) async throws {
        var values = UserValues()
        values.isDisabled = isDisabled
        try await set(values, of: id)
    }

    /// Sets a user's password without applying the password policy.
    ///
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

/// The functions that the control routes call for users, sessions and second factors.
///
/// If ``Emulator/accounts`` returns a value of this type, the emulator's server has these control routes.
public protocol AccountAdministrator: Sendable {
    /// Returns a page of a list of users.
    ///
    /// - Throws: The error of the database.
    func users(_ listing: UserListing) throws -> [ControlledUser]

    /// Returns the number of users on all pages of a list.
    ///
    /// - Throws: The error of the database.
    func userCount(_ listing: UserListing) throws -> Int

    /// Returns a user.
    ///
    /// - Returns: The user; `nil` if no user has the id.
    /// - Throws: The error of the database.
    func controlledUser(_ id: String) throws -> ControlledUser?

    /// Creates a user.
    ///
    /// - Throws: ``UserValueError`` if a value cannot be stored.
    func make(_ values: UserValues) async throws -> ControlledUser

    /// Changes a user; does nothing if no user has the id.
    ///
    /// - Throws: ``UserValueError`` if a value cannot be stored.
    func update(_ id: String, _ values: UserValues) async throws

    /// Deletes a user with all their data.
    ///
    /// - Throws: The error of the database.
    func deleteUser(_ id: String) throws

    /// Returns the active sessions of a user, oldest first.
    ///
    /// - Throws: The error of the database.
    func controlledSessions(of id: String) throws -> [ControlledSession]

    /// Ends a session.
    ///
    /// - Returns: Whether there was a session with this id.
    /// - Throws: The error of the database.
    func endSession(_ id: String) throws -> Bool

    /// Ends all sessions of a user.
    ///
    /// - Throws: The error of the database.
    func revokeSessions(of id: String) throws

    /// Opens a session for a user, as a sign-in does.
    ///
    /// - Parameters:
    ///   - secondFactor: Whether the user has passed a second factor in the session.
    /// - Returns: The session with its tokens.
    /// - Throws: ``UserValueError/unsupported(_:)`` if the provider does not support it.
    func openSession(of id: String, secondFactor: Bool) async throws -> OpenedSession

    /// Returns the second factors of a user with their secrets, oldest first.
    ///
    /// - Throws: The error of the database.
    func factors(of id: String) throws -> [ControlledFactor]

    /// Adds a second factor to a user, without asking the user for a code.
    ///
    /// - Returns: The factor with its secret.
    /// - Throws: ``UserValueError`` if the provider or its settings do not support such a factor.
    func addFactor(_ values: DirectoryFactor, to id: String) throws -> ControlledFactor

    /// Returns the code that a second factor accepts now.
    ///
    /// For an authenticator app, this is the code that the app shows by the backend's clock. For a phone, it is the last code
    /// that was sent to the phone.
    ///
    /// - Parameters:
    ///   - id: The id of the user.
    /// - Returns: The code; `nil` if none was sent, or if the last one was used or has expired.
    /// - Throws: The error of the database.
    func code(of factor: ControlledFactor, of id: String) throws -> FactorCode?

    /// Returns whether the code and the link of a message still work.
    ///
    /// - Throws: The error of the database.
    func standing(of message: MessageProof) throws -> MessageStanding

    /// Removes a second factor from a user.
    ///
    /// - Returns: Whether the user had the factor.
    /// - Throws: The error of the database.
    func removeFactor(_ factorID: String, of id: String) throws -> Bool
}
