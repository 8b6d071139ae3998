internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// The test issuer of the recordings: OpenID discovery, keys, and a code flow that signs in the user named before.
final class RecordedIssuer: Emulator {
    static let provider = "issuer"
    static let path = "/realms/test"

    let router: Router
    private let next: Next

    /// The user of the next visit.
    private final class Next: Sendable {
        static let usual: JSONObject = [
            "sub": "issuer-1", "email": "issuer@example.com", "email_verified": true, "name": "Issuer One",
        ]
        let visit = Mutex<(claims: JSONObject, error: String?)>((usual, nil))
    }

    init(_ environment: EmulationEnvironment, key: SigningKey) {
        let base = environment.base + Self.path
        let place = base + "/protocol/openid-connect"
        let next = Next()
        self.next = next
        var router = Router()
        let flow = Self.path + "/protocol/openid-connect"
        router.on("GET", Self.path + "/.well-known/openid-configuration") { _ -> EmulatorResponse in
            .json([
                "issuer": .string(base), "authorization_endpoint": .string(place + "/auth"),
                "token_endpoint": .string(place + "/token"),
                "userinfo_endpoint": .string(place + "/userinfo"), "jwks_uri": .string(place + "/certs"),
                "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            ])
        }
        let keys = JSONWebKeySet(publishing: [key]).json
        router.on("GET", flow + "/certs") { _ -> EmulatorResponse in .json(keys) }
        router.on("GET", flow + "/auth") { request -> EmulatorResponse in
            var pairs = [(name: "state", value: request.query["state"] ?? "")]
            if let error = next.visit.withLock({ $0.error }) {
                pairs += [(name: "error", value: error), (name: "error_description", value: "refused")]
            } else {
                pairs.append((name: "code", value: "code-1"))
            }
            return .redirect(to: (request.query["redirect_uri"] ?? "") + "?" + Percent.encodeForm(pairs), status: 302)
                .with("Content-Type", "application/json")
        }
        router.on("GET", flow + "/userinfo") { _ -> EmulatorResponse in .json(.object(next.visit.withLock { $0.claims })) }
        router.on("POST", flow + "/token") { _ -> EmulatorResponse in
            var claims: JSONObject = [
                "iss": .string(base), "aud": "test-client", "iat": .int(environment.now.seconds),
                "exp": .int(environment.now.seconds + 600),
            ]
            for (name, value) in next.visit.withLock({ $0.claims }) { claims[name] = value }
            return .json([
                "access_token": "issuer-access-token", "token_type": "Bearer", "expires_in": 600,
                "refresh_token": "issuer-refresh-token", "id_token": .string(try TokenWriter.sign(claims, with: key)),
            ])
        }
        router.on("POST", Self.path + "/next") { request -> EmulatorResponse in
            let body = try request.json()
            next.visit.withLock { visit in
                visit.error = body["error"]?.string
                if let claims = body["claims"]?.object { visit.claims = claims }
            }
            return .json([:])
        }
        self.router = router
    }

    func reset() { next.visit.withLock { $0 = (Next.usual, nil) } }
}
