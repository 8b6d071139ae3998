/// One way to sign in, up, link or reauthenticate: what an adapter has for one type of credential.
public protocol SignInStrategy<Input>: Sendable {
    /// The credential that it takes.
    associatedtype Input: Credential

    /// Shows the credential to the backend, for `purpose`.
    ///
    /// The credential is normalized already. What a later answer needs (a verifier, a handle, an attempt's id) goes into
    /// `flow`, which the client keeps in the store; so does each part that is done, where the call takes several requests.
    ///
    /// - Throws: an `AuthError` of the adapter's error table. `unsupported` where the purpose cannot be served.
    func begin(_ credential: Input, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}
