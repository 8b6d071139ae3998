public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import Synchronization

/// An identity provider with an OpenID configuration, keys, and a page that needs no input.
///
/// Each visit to the page returns a new code, which can be exchanged once.
public final class IssuerServer: Emulator {
    /// `issuer`.
    public static let provider = "issuer"
    /// The documents and the redirect, with the same paths as Keycloak.
    public let router: Router

    /// The user on its page.
    public enum Visitor: Sendable {
        /// A user who consents, with these claims.
        case person(JSONObject)
        /// A user who declines.
        case refuses
    }

    /// What the page was asked for, and by whom it was answered.
    private struct Visit: Sendable {
        let claims: JSONObject
        let client: String
        let nonce: String?
    }

    private final class State: Sendable {
        let visitor = Mutex(IssuerServer.grace)
        /// By code, and by access token from the exchange on.
        let visits = Mutex<[String: Visit]>([:])
        /// Claims that ID tokens have in place of the right ones; `null` for none.
        let flaws = Mutex<JSONObject>([:])
        let exchanges = Mutex<[Exchange]>([])
    }

    /// A backend's request that exchanges a code.
    public struct Exchange: Sendable {
        /// The `Authorization` header; empty if there was none.
        public let authorization: String
        /// The form.
        public let form: [String: String]
    }

    private let state: State

    /// A user with an address and a name.
    public static let grace = Visitor.person([
        "sub": "grace", "email": "grace@example.com", "email_verified": true, "name": "Grace Hopper",
    ])

    /// Creates a provider that publishes these keys.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - signing: The keys that sign ID tokens. Without them, there are no ID tokens, and a backend requests the profile.
    ///   - environment: The environment.
    public init(keys: JSON, signing: TokenIssuer.Keys? = nil, in environment: EmulationEnvironment) {
        let place = environment.base + "/protocol/openid-connect"
        let configuration: JSON = [
            "issuer": .string(environment.base), "authorization_endpoint": .string(place + "/auth"),
            "token_endpoint": .string(place + "/token"), "userinfo_endpoint": .string(place + "/userinfo"),
            "jwks_uri": .string(environment.base + "/keys"), "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
        ]
        let state = State()
        var router = Router()
        router.on("GET", "/.well-known/openid-configuration") { _ -> EmulatorResponse in .json(configuration) }
        router.on("GET", "/keys") { _ -> EmulatorResponse in .json(keys) }
        router.on("GET", "/protocol/openid-connect/auth") { request -> EmulatorResponse in
            guard let target = request.query["redirect_uri"] else { return .text("redirect_uri is missing", status: 400) }
            var pairs: [(name: String, value: String)] = [("state", request.query["state"] ?? "")]
            switch state.visitor.withLock({ $0 }) {
            case .person(let claims):
                let code = environment.randomness.text(24)
                let visit = Visit(claims: claims, client: request.query["client_id"] ?? "", nonce: request.query["nonce"])
                state.visits.withLock { $0["code " + code] = visit }
                pairs.append(("code", code))
            case .refuses: pairs += [("error", "access_denied"), ("error_description", "The user said no")]
            }
            return .redirect(to: target + "?" + Percent.encodeForm(pairs), status: 302)
        }
        router.on("POST", "/protocol/openid-connect/token") { request -> EmulatorResponse in
            let form = request.form()
            let code = form["code"] ?? ""
            let exchange = Exchange(
                authorization: request.headers["authorization"] ?? "",
                form: Dictionary(form.pairs.map { ($0.name, $0.value) }) { $1 })
            state.exchanges.withLock { $0.append(exchange) }
            let access = environment.randomness.text(24)
            let visit = state.visits.withLock { visits in
                let visit = visits.removeValue(forKey: "code " + code)
                visits["token " + access] = visit
                return visit
            }
            guard let visit else { return .json(["error": "invalid_grant"], status: 400) }
            var tokens: JSONObject = ["access_token": .string(access), "token_type": "bearer", "expires_in": 300]
            if let signing {
                let now = environment.now.seconds
                var claims = visit.claims
                claims["iss"] = .string(environment.base)
                claims["aud"] = .string(visit.client)
                claims["iat"] = .int(now)
                claims["exp"] = .int(now + 300)
                claims["nonce"] = visit.nonce.map { .string($0) }
                for (name, value) in state.flaws.withLock({ $0 }) { claims[name] = value.isNull ? nil : value }
                tokens["id_token"] = .string(try signing.sign(claims))
            }
            return .json(.object(tokens))
        }
        router.on("GET", "/protocol/openid-connect/userinfo") { request -> EmulatorResponse in
            let access = (request.headers["authorization"] ?? "").split(separator: " ").last.map(String.init) ?? ""
            guard let visit = state.visits.withLock({ $0["token " + access] }) else { return .empty(status: 401) }
            return .json(.object(visit.claims))
        }
        self.state = state
        self.router = router
    }

    /// Starts an identity provider.
    public static func start(
        publishing keys: JSON, signing: TokenIssuer.Keys? = nil, _ options: EmulatorOptions = .init()
    ) throws -> EmulatorServer<IssuerServer> {
        try EmulatorServer(options) { environment in IssuerServer(keys: keys, signing: signing, in: environment) }
    }

    /// Sets the user on the page from now on.
    ///
    /// - Parameters:
    ///   - visitor: The user on the page.
    ///   - flaws: The claims that replace the right ones in ID tokens; `null` removes a claim.
    public func expect(_ visitor: Visitor, flaws: JSONObject = [:]) {
        state.visitor.withLock { $0 = visitor }
        state.flaws.withLock { $0 = flaws }
    }

    /// The exchanges so far, including the rejected ones.
    public var exchanges: [Exchange] { state.exchanges.withLock { $0 } }

    /// Restores the default user, Grace.
    ///
    /// Codes that were issued stay valid.
    public func reset() { expect(Self.grace) }
}
