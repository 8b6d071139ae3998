/// One way to sign in, up, link or reauthenticate: an adapter's implementation for one type of credential.
public protocol SignInStrategy<Input>: Sendable {
    /// The credential that it takes.
    associatedtype Input: Credential

    /// Sends the credential to the backend, for `purpose`.
    ///
    /// The credential is normalized already. Values for a later answer (a verifier, a handle, an attempt's id) go into `flow`,
    /// which the client keeps in the store; so does each completed part, where the call takes several requests.
    ///
    /// - Throws: an `AuthError` of the adapter's error table. `unsupported` where the adapter does not support the purpose.
    func begin(_ credential: Input, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}
