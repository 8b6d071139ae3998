public import LockstepPrimitives

/// The system's dialog for passkeys, and a person who uses the dialog.
public protocol PasskeySheet: Sendable {
    /// Creates a passkey for a user.
    ///
    /// Each user has one passkey.
    ///
    /// - Parameters:
    ///   - options: The options of the challenge.
    /// - Returns: The value that the app sends in the next step.
    /// - Throws: An error if the options contain no challenge.
    func create(_ options: JSON, of userID: String) async throws -> JSON

    /// Signs a challenge with the passkey of a user.
    ///
    /// - Returns: The value that the app sends in the next step.
    /// - Throws: An error if the options contain no challenge.
    func sign(_ options: JSON, as userID: String) async throws -> JSON
}

/// The authenticator apps of users.
public protocol AuthenticatorApps: Sendable {
    /// Returns the code that an app shows now.
    ///
    /// - Parameter key: The secret that the user has added to the app.
    /// - Throws: An error that ends the check.
    func code(for key: Secret) async throws -> Secret
}
