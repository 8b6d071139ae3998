internal import LockstepEmulation
internal import LockstepSQLite

/// Answers requests without an endpoint.
struct Failures: Sendable {
    let core: Core

    /// Paths whose bearer is checked before the method.
    private static let guarded = ["/user", "/reauthenticate", "/factors", "/passkeys/registration"]

    func install(in router: inout Router) {
        router.notFound = { request in guardedAnswer(request) ?? .text("404 page not found\n", status: 404) }
        router.methodNotAllowed = { request, methods in
            if let answer = guardedAnswer(request) { return answer }
            var response = EmulatorResponse.empty(status: 405)
            for method in methods { response.headers.add("Allow", method) }
            return response
        }
        router.refused = { refusal, request in
            if refusal == .bodyTooLarge {
                let error = GoTrueError(413, .bodyTooLarge, "Request body too large (max 1048576 bytes)")
                return Counter(core: core).answer(request).response(to: error)
            }
            return .text(refusal.sentence + "\n", status: refusal.status)
        }
        router.failed = { _, request in Counter(core: core).answer(request).response(to: .unhandled) }
    }

    private func guardedAnswer(_ request: EmulatorRequest) -> EmulatorResponse? {
        let path = request.path
        func isBelow(_ prefix: String) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }
        let isForAdmins = isBelow("/admin")
        guard isForAdmins || Self.guarded.contains(where: isBelow) else { return nil }
        guard case .now(let answer) = Counter(core: core).reply(to: request, by: GuardEndpoint(isForAdmins: isForAdmins)) else {
            return nil
        }
        return answer.status == 204 ? nil : answer
    }
}

/// Checks only the bearer.
private struct GuardEndpoint: Endpoint {
    let isForAdmins: Bool

    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        if isForAdmins { try turn.authenticateAdmin() } else { try turn.authenticate(&db) }
        return .empty()
    }
}
