internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepHTTP
internal import LockstepPrimitives

/// A function of the app's server that ends all sessions of its caller, like `revokeRefreshTokens` of the Admin SDKs.
final class SessionEndingFunction: Emulator {
    static let provider = "team"
    static let path = "/functions/v1/end-sessions"
    let router: Router

    init(for base: String, project: String, clock: any DeviceClock) {
        let transport = CurlTransport()
        let toolkit = base + "/identitytoolkit.googleapis.com/v1/"
        var router = Router()
        router.on(
            "POST", Self.path,
            suspending: { request -> EmulatorResponse in
                guard let bearer = request.headers["authorization"]?.split(separator: " ").last else {
                    return .empty(status: 401)
                }
                // The backend itself identifies the user of the token.
                let known = try await transport.send(
                    HTTPRequest(
                        .post, toolkit + "accounts:lookup", headers: ["X-Goog-Api-Key": "fake-api-key"],
                        body: .json(["idToken": .string(String(bearer))])))
                guard known.status < 500 else { return .empty(status: 503) }
                guard known.isSuccess, let id = try JSON.parse(known.body)["users"]?[0]?["localId"]?.string else {
                    return .empty(status: 401)
                }
                let ending = try await transport.send(
                    HTTPRequest(
                        .post, toolkit + "projects/\(project)/accounts:update", headers: ["Authorization": "Bearer owner"],
                        body: .json(["localId": .string(id), "validSince": .string(String(clock.now.seconds))])))
                return ending.isSuccess ? .empty() : .empty(status: 500)
            })
        self.router = router
    }

    func reset() {}
}
