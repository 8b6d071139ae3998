public import Lockstep
public import LockstepHTTP
public import LockstepPrimitives
internal import LockstepWire

extension GoTrueAdapter {
    /// Sends your own request to the API, for features of GoTrue that have no portable name.
    ///
    ///     let session = try await auth.session()
    ///     let passkeys = try await adapter.request(.get, "/passkeys", as: session)
    ///
    /// Sends the project's key, and the session's access token where a session is given. The client does not see changes to a
    /// session in the answer, such as new tokens: use its own calls for those.
    ///
    /// - Parameters:
    ///   - path: The path after the address of the API, beginning with a slash.
    ///   - session: The session to authorize the call with; get a valid one from the client.
    /// - Returns: the answer as it came; printing it shows no secrets.
    /// - Throws: an error of the adapter's table for every refusal, with the raw code in ``AuthError/provider``; `invalidInput`
    ///   for a path that leads elsewhere.
    @concurrent
    public func request(
        _ method: HTTPMethod, _ path: String, query: HTTPForm = [:], body: JSONObject? = nil, as session: Session? = nil
    ) async throws(AuthError) -> HTTPResponse {
        // Proxies decode before they look at a path, so an encoded dot or slash counts as one.
        let plain = Percent.decode(path) ?? "\\"
        let segments = plain.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), !path.contains(where: { "?#".contains($0) }), !plain.contains("\\"),
            plain.filter({ $0 == "/" }).count == path.filter({ $0 == "/" }).count,
            segments.allSatisfy({ !["", ".", ".."].contains($0) })
        else {
            throw AuthError(
                .invalidInput,
                "The path must begin with a slash and hold no query, fragment, backslash, encoded slash, empty part, `.` or `..`."
            )
        }
        guard session == nil || session?.provider == name else {
            throw AuthError(.invalidInput, "This is a session of another provider.")
        }
        return try await api.wire.send(method, api.wire.url + path, query: query, body: body, as: session?.accessToken)
    }
}
