internal import LockstepEmulation
internal import LockstepSQLite

/// Responds to requests without an endpoint.
struct Failures: Sendable {
    let state: ServerState

    /// Paths whose bearer token is checked before the method, and before it is known whether the path exists.
    private static let guarded: [(prefix: String, access: ServerState.Access)] = [
        ("/admin", .administrator), ("/user", .user), ("/reauthenticate", .user), ("/factors", .user),
        ("/passkeys/registration", .user),
    ]

    func install(in router: inout Router) {
        router.notFound = { request in guardedResponse(request) ?? .text("404 page not found\n", status: 404) }
        router.methodNotAllowed = { request, methods in
            if let answer = guardedResponse(request) { return answer }
            var response = EmulatorResponse.empty(status: 405)
            for method in methods { response.headers.add("Allow", method) }
            return response
        }
        router.refused = { refusal, request in
            if refusal == .bodyTooLarge {
                let error = GoTrueError.bodyTooLarge
                return state.response(to: error, of: request)
            }
            return .text(refusal.sentence + "\n", status: refusal.status)
        }
        router.failed = { _, request in state.response(to: GoTrueError.unhandled, of: request) }
    }

    private func guardedResponse(_ request: EmulatorRequest) -> EmulatorResponse? {
        let path = request.path
        guard let guarded = Self.guarded.first(where: { path == $0.prefix || path.hasPrefix($0.prefix + "/") }) else {
            return nil
        }
        let endpoint = Endpoint(request.method, path, guarded.access, .reads) { _ in .empty() }
        guard case .now(let answer) = TransactionRunner(state).reply(to: request, endpoint), answer.status != 204 else {
            return nil
        }
        return answer
    }
}
