internal import LockstepCurl
internal import LockstepEmulation
internal import LockstepHTTP
internal import LockstepPrimitives

/// A function of the app's server that deletes user accounts with the administrator key.
///
/// It requires a recent sign-in, as the adapter's documentation describes.
final class DeletionFunction: Emulator {
    static let provider = "team"
    static let path = "/functions/v1/delete-account"
    let router: Router

    /// The maximum age of the sign-in.
    private static let recent: Duration = .seconds(300)

    init(for project: String, key: Secret, clock: any DeviceClock) {
        let transport = CurlTransport()
        var router = Router()
        router.on(
            "POST", Self.path,
            suspending: { request -> EmulatorResponse in
                guard let bearer = request.headers["authorization"] else { return Self.refusal("no_authorization", 401) }
                // The backend itself identifies the user of the token.
                let user = try await transport.send(
                    HTTPRequest(
                        .get, project + "/user", headers: ["Authorization": bearer, "X-Supabase-Api-Version": "2024-01-01"]))
                guard user.isSuccess, let id = try JSON.parse(user.body)["id"]?.string else {
                    return EmulatorResponse(status: user.status, headers: ["Content-Type": "application/json"], body: user.body)
                }
                guard clock.now - Self.signInTime(of: bearer) < Self.recent else {
                    return Self.refusal("reauthentication_needed", 403)
                }
                let deletion = try await transport.send(
                    HTTPRequest(.delete, "\(project)/admin/users/\(id)", headers: ["Authorization": "Bearer " + key.reveal()]))
                return deletion.isSuccess ? .empty() : Self.refusal("unexpected_failure", 500)
            })
        self.router = router
    }

    func reset() {}

    /// Returns the time of the user's last authentication.
    private static func signInTime(of bearer: String) -> Instant {
        let token = bearer.split(separator: " ").last.map(String.init) ?? ""
        let proofs = CompactToken.unverifiedClaims(of: token)?["amr"]?.array ?? []
        return Instant(seconds: proofs.compactMap { $0["timestamp"]?.int }.max() ?? 0)
    }

    private static func refusal(_ code: String, _ status: Int) -> EmulatorResponse {
        .json(["code": .string(code), "message": "The account was not deleted."], status: status)
    }
}
