import LockstepEmulation
import LockstepPrimitives
import LockstepTokens
import Synchronization

/// The test issuer of the recordings: OpenID discovery, keys, and a code flow that signs in whoever was named before.
final class RecordedIssuer: Emulator {
    static let provider = "issuer"
    static let path = "/realms/test"

    let router: Router
    private let next: Next

    private final class Next: Sendable {
        let claims = Mutex<JSONObject>(["sub": "issuer-1", "email": "issuer@example.com", "email_verified": true])
    }

    init(_ environment: EmulationEnvironment, key: SigningKey) {
        let base = environment.base + Self.path
        let place = base + "/protocol/openid-connect"
        let next = Next()
        self.next = next
        var router = Router()
        let own = "/realms/test"
        let flow = own + "/protocol/openid-connect"
        router.get(own + "/.well-known/openid-configuration") { _ -> EmulatorResponse in
            .json([
                "issuer": .string(base), "authorization_endpoint": .string(place + "/auth"),
                "token_endpoint": .string(place + "/token"),
                "userinfo_endpoint": .string(place + "/userinfo"), "jwks_uri": .string(place + "/certs"),
            ])
        }
        let keys = JSONWebKeySet(publishing: [key]).json
        router.get(flow + "/certs") { _ -> EmulatorResponse in .json(keys) }
        router.get(flow + "/auth") { request -> EmulatorResponse in
            let pairs = [(name: "state", value: request.query["state"] ?? ""), (name: "code", value: "code-1")]
            return .redirect(to: (request.query["redirect_uri"] ?? "") + "?" + Percent.encodeForm(pairs), status: 302)
                .with("Content-Type", "application/json")
        }
        router.get(flow + "/userinfo") { _ -> EmulatorResponse in .json(.object(next.claims.withLock { $0 })) }
        router.post(flow + "/token") { _ -> EmulatorResponse in
            .json([
                "access_token": "issuer-access-token", "token_type": "Bearer", "expires_in": 600,
                "refresh_token": "issuer-refresh-token",
            ])
        }
        router.post(own + "/next") { request -> EmulatorResponse in
            let claims = try request.json()["claims"]?.object ?? [:]
            next.claims.withLock { $0 = claims }
            return .json([:])
        }
        self.router = router
    }

    func reset() {}
}

/// A receiver of the send-SMS hook that answers by the last digits of the number.
final class FaultyHook: Emulator {
    static let provider = "hook"
    let router: Router

    init() {
        var router = Router()
        router.post("/sms-faults") { request -> Reply in
            let phone = try request.json()["sms"]?["phone"]?.string ?? ""
            switch phone.suffix(3) {
            case "403": return .now(.json(["error": ["http_code": 403, "message": "This number is blocked"]]))
            case "500": return .now(.json(["message": "no"], status: 500))
            case "415": return .now(.text("{}", contentType: "text/plain"))
            case "408":
                return .later {
                    try await StillClock().sleep(for: .seconds(7))
                    return .json([:])
                }
            default: return .now(.json([:]))
            }
        }
        self.router = router
    }

    func reset() {}
}
