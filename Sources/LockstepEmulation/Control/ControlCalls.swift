public import LockstepPrimitives

/// Functions that call the control routes of an emulator in the same process, without a connection.
///
/// docs/control.md describes the routes, their values and their errors.
///
/// ```swift
/// let made = await server.controlCalls.send("POST", "/users", ["email": "ada@example.com"])
/// print(made.status, made.document)
/// ```
public struct ControlCalls: Sendable {
    /// The response of a control route.
    public struct Answer: Sendable {
        /// The status code of the response.
        public let status: Int
        /// The JSON document in the body; `null` if the body is empty or is not JSON.
        public let document: JSON

        /// The error message of the response; `nil` if the call succeeded.
        public var refusal: String? {
            (200...299).contains(status) ? nil : document["error"]?.string ?? "The control route returned status \(status)."
        }
    }

    let router: Router
    /// The routes of the provider's API.
    let provider: Router
    let token: Secret
    let accounts: (any AccountAdministrator)?

    /// Calls a control route.
    ///
    /// - Parameters:
    ///   - method: The request method, such as `POST`.
    ///   - path: The path after `/__lockstep`. Values in the path must be percent-encoded.
    ///   - body: The JSON document to send; `nil` to send an empty body.
    /// - Returns: The response.
    public func send(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [], _ body: JSON? = nil
    ) async -> Answer {
        let target = ControlRoutes.prefix + path + (query.isEmpty ? "" : "?" + Percent.encodeForm(query))
        return await Self.send(
            EmulatorRequest(
                method: method, target: target, headers: ["Authorization": "Bearer " + token.reveal()], body: body?.bytes() ?? []),
            to: router)
    }

    /// Calls a route of the provider's API.
    ///
    /// Faults do not affect the call, and it is not recorded.
    ///
    /// - Returns: The response.
    package func sendToProvider(_ request: EmulatorRequest) async -> Answer { await Self.send(request, to: provider) }

    private static func send(_ request: EmulatorRequest, to router: Router) async -> Answer {
        var request = request
        let response: EmulatorResponse
        do {
            switch router.match(request, rawPath: request.rawPath[...]) {
            case .route(let handler, let placeholders):
                request.placeholders = placeholders
                switch try handler(request) {
                case .now(let answer): response = answer
                case .later(let work): response = try await work()
                }
            case .otherMethods(let methods): response = router.methodNotAllowed(request, methods)
            case .nothing: response = router.notFound(request)
            }
        } catch {
            response = router.failed(error, request)
        }
        return Answer(status: response.status, document: (try? JSON.parse(response.body)) ?? .null)
    }

    /// Returns the number of users; `nil` if the emulator does not know the number.
    public func userCount() -> Int? {
        guard let administrator = accounts as? any EmulatorAdministrator else { return nil }
        return try? administrator.userCount()
    }

    /// Returns a page of a list of users.
    package func users(_ listing: UserListing) throws -> [JSON] { try accounts?.users(listing).map(\.json) ?? [] }

    /// Returns the number of users on all pages of a list.
    package func userCount(_ listing: UserListing) throws -> Int { try accounts?.userCount(listing) ?? 0 }

    /// Returns whether a text is the token of the control routes.
    ///
    /// - Parameter token: The text from a header.
    package func isToken(_ token: String) -> Bool { Secret(token) == self.token }
}
