public import LockstepPrimitives

/// The system's passkey dialog, with a person who uses it.
public protocol PasskeySheet: Sendable {
    /// Makes a passkey, as the person does; each user has one.
    ///
    /// - Parameters:
    ///   - options: Those of the challenge.
    ///   - userID: The user's id.
    /// - Returns: What the app gives to the step.
    /// - Throws: An error if the options name no challenge.
    func create(_ options: JSON, of userID: String) async throws -> JSON

    /// Signs with a passkey, as the person does.
    ///
    /// - Returns: what the app gives to the step.
    func sign(_ options: JSON, as userID: String) async throws -> JSON
}

/// An authenticator app to which a user adds a key.
public protocol AuthenticatorApps: Sendable {
    /// The code that the app shows now for this key of an enrolment.
    func code(for key: Secret) async throws -> Secret
}
