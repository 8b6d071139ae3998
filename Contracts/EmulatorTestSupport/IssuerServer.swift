public import LockstepEmulation
@_exported public import LockstepPrimitives
internal import Synchronization

/// A server that acts as an identity provider.
///
/// The server has an OpenID configuration, keys, and a page that redirects without any input. Each visit to the page creates a
/// new code. A backend can exchange the code once.
///
/// ```swift
/// let keys = try TokenIssuer.Keys()
/// let server = try IssuerServer.start(publishing: keys.published, signing: keys)
/// defer { server.stop() }
/// server.emulator.expect(.refuses)              // the next user declines
/// ```
public final class IssuerServer: Emulator {
    /// The name `issuer`.
    public static let provider = "issuer"
    /// The documents and the page, at the same paths as in Keycloak.
    public let router: Router

    /// The user who visits the page.
    public enum Visitor: Sendable {
        /// A user who consents, with the claims of this user.
        case person(JSONObject)
        /// A user who declines.
        case refuses
    }

    /// A visit to the page: the user's claims, and values from the request.
    private struct Visit: Sendable {
        let claims: JSONObject
        let client: String
        let nonce: String?
    }

    private final class State: Sendable {
        let visitor = Mutex(IssuerServer.grace)
        /// The visits.
        ///
        /// The key is the code, or after the exchange the access token.
        let visits = Mutex<[String: Visit]>([:])
        /// The claims that replace the correct claims in ID tokens.
        ///
        /// The value `null` removes a claim.
        let flaws = Mutex<JSONObject>([:])
        let exchanges = Mutex<[Exchange]>([])
    }

    /// A request that a backend sent to exchange a code for tokens.
    public struct Exchange: Sendable {
        /// The `Authorization` header of the request; empty if there was none.
        public let authorization: String
        /// The form in the body of the request.
        public let form: [String: String]
    }

    private let state: State

    /// A user who consents, with an email address and a name.
    public static let grace = Visitor.person([
        "sub": "grace", "email": "grace@example.com", "email_verified": true, "name": "Grace Hopper",
    ])

    /// Creates an identity provider.
    ///
    /// - Parameters:
    ///   - keys: The public keys to publish.
    ///   - signing: The keys that sign ID tokens; `nil` if the server issues no ID tokens. A backend then requests the user
    ///     information instead.
    ///   - environment: The services that the server uses.
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

    /// Starts the server of an identity provider.
    ///
    /// - Parameters:
    ///   - signing: The keys that sign ID tokens; `nil` for none.
    ///   - options: The settings of the server.
    /// - Throws: An error if the server cannot be started.
    public static func start(
        publishing keys: JSON, signing: TokenIssuer.Keys? = nil, _ options: EmulatorOptions = .init()
    ) throws -> EmulatorServer<IssuerServer> {
        try EmulatorServer(options) { environment in IssuerServer(keys: keys, signing: signing, in: environment) }
    }

    /// Sets the user for all later visits to the page.
    ///
    /// - Parameters:
    ///   - flaws: The claims that replace the correct claims in ID tokens. The value `null` removes a claim.
    public func expect(_ visitor: Visitor, flaws: JSONObject = [:]) {
        state.visitor.withLock { $0 = visitor }
        state.flaws.withLock { $0 = flaws }
    }

    /// All requests to exchange a code, including the rejected requests.
    public var exchanges: [Exchange] { state.exchanges.withLock { $0 } }

    /// Makes ``grace`` the user who visits the page.
    ///
    /// Existing codes stay valid.
    public func reset() { expect(Self.grace) }
}
