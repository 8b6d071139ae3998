public import Foundation
public import LockstepPrimitives
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request with the user's token to one of the app's own servers.
    ///
    /// If the server responds with 401, the client refreshes the token, and the request is sent once more. A redirect to
    /// another origin is followed without the token.
    ///
    /// ```swift
    /// var request = URLRequest(url: url)
    /// request.httpMethod = "POST"
    /// let (body, response) = try await URLSession.shared.data(for: request, authorizedBy: auth)
    /// print(response.statusCode, body.count)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. The client replaces its `Authorization` header.
    ///   - client: The client, such as `AuthClient`, whose options must list the origin of the URL.
    /// - Returns: The body and the head of the response.
    /// - Throws: The errors of `AuthClient.authorized(_:by:)`; `URLError`. `badURL` means that the request has no URL;
    ///   `requestBodyStreamExhausted` that its body is a stream, which cannot be sent twice.
    public func data(
        for request: URLRequest, authorizedBy client: some RequestAuthorizer
    ) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        guard request.httpBodyStream == nil else { throw URLError(.requestBodyStreamExhausted) }
        return try await client.authorized(url: url.absoluteString) { authorization in
            var request = request
            request.setValue(authorization.reveal(), forHTTPHeaderField: "Authorization")
            let (body, response) = try await self.data(for: request, guardedBy: RedirectGuard(url))
            guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return (head.statusCode, (body, head))
        }
    }
}

extension URLSession {
    private func data(for request: URLRequest, guardedBy guardian: RedirectGuard) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
        // Here `data(for:delegate:)` asks nobody about redirects, and the delegate of a task is asked. A session for each request would be
        // torn down after it, which can end the process: https://github.com/swiftlang/swift-corelibs-foundation/issues/4791
        let running = Mutex<URLSessionTask?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = dataTask(with: request) { body, response, error in
                    guard let body, let response else { return continuation.resume(throwing: error ?? URLError(.unknown)) }
                    continuation.resume(returning: (body, response))
                }
                task.delegate = guardian
                running.withLock { $0 = task }
                task.resume()
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }
        #else
        return try await data(for: request, delegate: guardian)
        #endif
    }
}

extension RequestAuthorizer {
    /// Sends a request with the user's token to one of the app's own servers.
    ///
    /// The call is the same as `URLSession.data(for:authorizedBy:)`.
    ///
    /// ```swift
    /// let (body, response) = try await auth.authorized(URLRequest(url: url))
    /// print(response.statusCode, body.count)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. The client replaces its `Authorization` header.
    ///   - session: The session that sends the request. Default: the shared one.
    /// - Returns: The body and the head of the response.
    /// - Throws: The errors of `AuthClient.authorized(_:by:)`; `URLError`.
    public func authorized(
        _ request: URLRequest, over session: URLSession = .shared
    ) async throws -> (Data, HTTPURLResponse) {
        try await session.data(for: request, authorizedBy: self)
    }
}

/// Keeps the token from servers that the app has not listed, if its own server redirects there.
private final class RedirectGuard: NSObject, URLSessionTaskDelegate, Sendable {
    private let home: URL

    init(_ home: URL) { self.home = home }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        var request = request
        if let url = request.url, !url.hasOrigin(of: home) { request.setValue(nil, forHTTPHeaderField: "Authorization") }
        completionHandler(request)
    }
}

extension URL {
    fileprivate func hasOrigin(of other: URL) -> Bool {
        (scheme?.lowercased(), host?.lowercased(), port ?? usualPort)
            == (other.scheme?.lowercased(), other.host?.lowercased(), other.port ?? other.usualPort)
    }

    private var usualPort: Int { scheme?.lowercased() == "https" ? 443 : 80 }
}
