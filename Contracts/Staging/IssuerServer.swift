public import LockstepEmulation
public import LockstepPrimitives

/// The part of an identity provider that backends ask: its OpenID configuration and its keys.
public final class IssuerServer: Emulator {
    /// `issuer`.
    public static let provider = "issuer"
    /// Two documents.
    public let router: Router

    /// A provider that publishes these keys.
    public init(keys: JSON, in environment: EmulationEnvironment) {
        let base = environment.base
        let configuration: JSON = [
            "issuer": .string(base), "authorization_endpoint": .string(base + "/authorize"),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        ]
        var router = Router()
        router.get("/.well-known/openid-configuration") { _ -> EmulatorResponse in .json(configuration) }
        router.get("/keys") { _ -> EmulatorResponse in .json(keys) }
        self.router = router
    }

    /// Starts one.
    public static func start(publishing keys: JSON, _ options: EmulatorOptions = .init()) throws -> EmulatorServer<IssuerServer> {
        try EmulatorServer(options) { environment in IssuerServer(keys: keys, in: environment) }
    }

    /// There is nothing to forget.
    public func reset() {}
}
