/// A client that adds its user's token to the requests of an app; `AuthClient` of the product `Lockstep`.
///
/// With this protocol, a library for requests needs to know no client.
///
/// ```swift
/// let (orders, _) = try await URLSession.shared.data(for: request, authorizedBy: auth)
/// print(orders.count)
/// ```
public protocol RequestAuthorizer: Sendable {
    /// Sends a request with the user's token, and once more with a new token if the server responds with 401.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of the request.
    ///   - send: A function that sends the request with the given value of the header `Authorization`, and returns the
    ///     status and the content of the response. The client calls this function once or twice.
    /// - Returns: The content of the last response.
    /// - Throws: An error of the client, before any request; the errors of `send`.
    func authorized<Content: Sendable>(
        url: String, by send: @Sendable (_ authorization: Secret) async throws -> (status: Int, content: Content)
    ) async throws -> Content
}
