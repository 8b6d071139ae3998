public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import Synchronization

/// An identity provider as backends and browsers meet it: its OpenID configuration, its keys, and a page without questions.
public final class IssuerServer: Emulator {
    /// `issuer`.
    public static let provider = "issuer"
    /// Documents and the round trip, laid out as Keycloak's.
    public let router: Router

    /// The user at its page.
    public enum Visitor: Sendable {
        /// A user who consents, with these claims.
        case person(JSONObject)
        /// A user who refuses.
        case refuses
    }

    private final class State: Sendable {
        let visitor = Mutex(IssuerServer.grace)
    }

    private let state: State

    /// A user with an address and a name.
    public static let grace = Visitor.person([
        "sub": "grace", "email": "grace@example.com", "email_verified": true, "name": "Grace Hopper",
    ])

    /// A provider that publishes these keys.
    public init(keys: JSON, in environment: EmulationEnvironment) {
        let place = environment.base + "/protocol/openid-connect"
        let configuration: JSON = [
            "issuer": .string(environment.base), "authorization_endpoint": .string(place + "/auth"),
            "token_endpoint": .string(place + "/token"), "userinfo_endpoint": .string(place + "/userinfo"),
            "jwks_uri": .string(environment.base + "/keys"), "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        ]
        let state = State()
        var router = Router()
        router.get("/.well-known/openid-configuration") { _ -> EmulatorResponse in .json(configuration) }
        router.get("/keys") { _ -> EmulatorResponse in .json(keys) }
        router.get("/protocol/openid-connect/auth") { request -> EmulatorResponse in
            guard let target = request.query["redirect_uri"] else { return .text("redirect_uri is missing", status: 400) }
            var pairs: [(name: String, value: String)] = [("state", request.query["state"] ?? "")]
            switch state.visitor.withLock({ $0 }) {
            case .person: pairs.append(("code", "code-1"))
            case .refuses: pairs += [("error", "access_denied"), ("error_description", "The user said no")]
            }
            return .redirect(to: target + "?" + Percent.encodeForm(pairs), status: 302)
        }
        router.post("/protocol/openid-connect/token") { _ -> EmulatorResponse in
            .json(["access_token": "issuers-access-token", "token_type": "bearer", "expires_in": 300])
        }
        router.get("/protocol/openid-connect/userinfo") { _ -> EmulatorResponse in
            guard case .person(let claims) = state.visitor.withLock({ $0 }) else { return .empty(status: 401) }
            return .json(.object(claims))
        }
        self.state = state
        self.router = router
    }

    /// Starts one.
    public static func start(publishing keys: JSON, _ options: EmulatorOptions = .init()) throws -> EmulatorServer<IssuerServer> {
        try EmulatorServer(options) { environment in IssuerServer(keys: keys, in: environment) }
    }

    /// Sets the user at the page from now on.
    public func expect(_ visitor: Visitor) { state.visitor.withLock { $0 = visitor } }

    /// The default user again, Grace.
    public func reset() { state.visitor.withLock { $0 = Self.grace } }
}
