public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Deletes the account through the team's own server function: GoTrue itself allows that to administrators only.
///
/// The function is called by `POST` with the user's access token as bearer, the project's key as `apikey`, and an empty JSON
/// object. It must verify the token, delete its user through the administrators' API, and answer:
///
/// | answer | meaning |
/// | --- | --- |
/// | 204, or 200 with a JSON object | the account is gone |
/// | 401 or 403 with `{"code": "reauthentication_needed"}` | the sign-in is too long ago: the user must sign in again first |
/// | anything else | in GoTrue's own form of errors; the account stays |
public struct OwnAccountDeletion: AccountDeletion {
    let api: GoTrueAPI
    let url: String

    /// Deletes the account.
    ///
    /// - Throws: `reauthenticationRequired`; `invalidResponse` where the answer is not the function's.
    public func delete(_ session: Session) async throws(AuthError) {
        let response = try await api.wire.send(.post, url, body: [:], as: session.accessToken)
        guard response.status == 204 || (try? response.json())?.object != nil else {
            throw ErrorMapping.foreign(response, "204 or a JSON object was expected of the account deletion function")
        }
    }
}
