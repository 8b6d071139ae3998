internal import LockstepEmulation
internal import LockstepSQLite

/// Answers requests without an endpoint.
struct Failures: Sendable {
    let state: ServerState

    /// Paths whose bearer is checked before the method.
    private static let guarded = ["/user", "/reauthenticate", "/factors", "/passkeys/registration"]

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
                let error = GoTrueError(413, .bodyTooLarge, "Request body too large (max 1048576 bytes)")
                return state.response(to: error, of: request)
            }
            return .text(refusal.sentence + "\n", status: refusal.status)
        }
        router.failed = { _, request in state.response(to: GoTrueError.unhandled, of: request) }
    }

    private func guardedResponse(_ request: EmulatorRequest) -> EmulatorResponse? {
        let path = request.path
        func isBelow(_ prefix: String) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }
        let isForAdmins = isBelow("/admin")
        guard isForAdmins || Self.guarded.contains(where: isBelow) else { return nil }
        let reply = TransactionRunner(state).reply(to: request, .reads) { context in
            if isForAdmins { try context.authenticator.requireAdministrator() } else { try context.authenticator.requireUser() }
            return .empty()
        }
        guard case .now(let answer) = reply else { return nil }
        return answer.status == 204 ? nil : answer
    }
}
