/// A call of a client that may wait for the backend.
///
/// There is one case for each function of ``PortableClient``.
public enum ClientCall: String, Sendable, CaseIterable {
    case restore, signUp, signIn, respond, resend, cancel, handle, requestPasswordReset, accessToken, session, authorized
    case refreshUser, settle, signOut, update, updateMetadata, changePassword, beginPasswordChange, changeEmail, link, unlink
    case factors, addFactor, removeFactor, renewBackupCodes, passkeys, renamePasskey, removePasskey, organizations, activate
    case setPhoto, reauthenticate, deleteAccount

    /// The name of the function in the protocol.
    public var name: String { self == .updateMetadata ? "update" : rawValue }
}
