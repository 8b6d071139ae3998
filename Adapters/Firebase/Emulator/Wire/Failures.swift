internal import LockstepEmulation
internal import LockstepPrimitives

/// The responses to requests that reach no endpoint, and to errors outside an endpoint.
enum Failures {
    static func install(in router: inout Router, _ state: ServerState) {
        router.notFound = { _ in APIError.notFound.response }
        router.methodNotAllowed = methodNotAllowed
        router.failed = { error, request in state.response(to: error, of: request) }
        router.refused = { refusal, _ in APIError.unreadable(refusal.sentence, status: refusal.status).response }
    }

    private static let pages: Set = ["/", EmulatorActionRoutes.path, ProviderChooser.path, RelayFrame.path]

    /// Firebase's emulator responds to these requests without its error envelope.
    @Sendable private static func methodNotAllowed(_ request: EmulatorRequest, _ methods: [String]) -> EmulatorResponse {
        // Its pages are not operations, so other methods get the error "not found".
        if pages.contains(request.rawPath) { return APIError.notFound.response }
        let target = request.rawPath + (request.rawQuery.isEmpty ? "" : "?" + request.rawQuery)
        return EmulatorResponse.json(
            ["message": .string("Method \(request.method) not allowed for \(target)")], status: 405,
            contentType: "application/json; charset=utf-8"
        ).with("Allow", methods.joined(separator: ", "))
    }
}
