public import LockstepPrimitives

/// Calls of an emulator's control routes inside its process, without a connection.
///
/// The routes, their values and their refusals are those of docs/control.md.
public struct ControlCalls: Sendable {
    /// What a control route returned.
    public struct Answer: Sendable {
        /// The status.
        public let status: Int
        /// The document; `null` if the body is empty or no JSON.
        public let document: JSON

        /// The sentence of a refusal; `nil` if the call has succeeded.
        public var refusal: String? {
            (200...299).contains(status) ? nil : document["error"]?.string ?? "The control route returned status \(status)."
        }
    }

    let router: Router
    /// The provider's own routes.
    let provider: Router
    let token: Secret
    let accounts: (any AccountAdministrator)?

    /// Calls a control route.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below `/__lockstep`, with its placeholders encoded.
    ///   - query: The pairs of the query.
    ///   - body: The document; `nil` for none.
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

    /// Calls a route of the provider: no fault affects it, and the transcript does not list it.
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

    /// The number of users; `nil` if the emulator does not know it.
    public func userCount() -> Int? {
        guard let administrator = accounts as? any EmulatorAdministrator else { return nil }
        return try? administrator.userCount()
    }

    /// Whether a header's token is the one of these routes.
    package func isToken(_ token: String) -> Bool { Secret(token) == self.token }
}
